import type { MemoryFit } from '#src/contract/memoryFit.ts'
import { firmnessOf } from '#src/domain/study/memoryFit.ts'
import type { MemoryModel } from '#src/domain/study/review.ts'
import { dayOf } from '#src/domain/time/day.ts'
import type { Figures } from '#src/offline/record/figures.ts'
import common from '#src/ui/common.module.css'
import { dayText } from '#src/ui/dates.ts'

/** Closer to most people's than this is the same for a student. */
const ALIKE = 1.15

/** Says by whose memory reviews are planned: most people's, or the student's own. */
export function MemoryNote({ figures: { fit, model } }: { figures: Pick<Figures, 'fit' | 'model'> }) {
  return <p className={common.note}>{fit && model ? ownText(fit, model) : COMMON_TEXT}</p>
}

const COMMON_TEXT =
  '复习间隔按多数人的遗忘快慢来排。隔天重做的题积累到 400 次后，会试着按你自己的记忆来排，更准时才采用。'

function ownText({ at, reviews }: MemoryFit, model: MemoryModel): string {
  const firmness = firmnessOf(model)
  const how =
    firmness >= ALIKE
      ? `你比多数人记得牢，同一道题大约 ${firmness.toFixed(1)} 倍的时间才会忘到同样程度，间隔已随之放长`
      : firmness <= 1 / ALIKE
        ? `你比多数人忘得快，同一道题大约 ${Math.max(1, Math.round(10 * firmness))} 成的时间就忘到同样程度，间隔已随之缩短`
        : '你的记忆快慢与多数人相近，间隔只作了细调'
  return `复习间隔按你自己的记忆来排（${dayText(dayOf(at))}按 ${reviews} 次隔天重做的结果校准）：${how}。`
}
