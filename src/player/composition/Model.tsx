import { clsx } from 'clsx'
import type { EssayQuestion } from '#src/contract/question.ts'
import { lengthOf, lengthText, unitOf } from '#src/domain/question/composition.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import common from '#src/ui/common.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import { focusOn } from '../useFocus.ts'
import classes from './Composition.module.css'

/** 范文, folded: a student looks at their own text first. */
export function Model({ part, focus = false }: { part: EssayQuestion; focus?: boolean }) {
  const text = plainText(part.reference)
  const unit = unitOf(part, text)
  if (!text)
    return (
      <p
        ref={focus ? focusOn : undefined}
        tabIndex={-1}
        className={clsx(common.sunken, common.note, classes.model, classes.none)}
      >
        暂无范文，请对照评分标准自评。
      </p>
    )
  return (
    <details className={clsx(common.sunken, classes.model)}>
      <summary ref={focus ? focusOn : undefined} className={clsx(common.strong, classes.fold)}>
        范文 <span className={clsx(common.note, common.figures)}>{lengthText(lengthOf(text, unit), unit)}</span>
      </summary>
      <RichText html={part.reference} />
    </details>
  )
}
