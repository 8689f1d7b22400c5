import { fitTo } from '#server/study/recall/fit.ts'
import type { Histories } from '#server/study/recall/log.ts'
import { type MemoryModel, modelOf, recallAfter, remembered } from '#src/domain/study/review.ts'
import type { Memory } from '#src/contract/study.ts'
import type { Figure } from '../figures.ts'
import { OURS } from './rules.ts'
import { type Asked, EXAM_DAY, knownOf, STUDENTS, studied } from './student.ts'

/** A student's memories are so many times as firm as most people's, in the middle. */
const FIRMNESSES = [0.4, 0.7, 1, 1.5, 2.5]
const SEEDS = [1, 2, 3, 4, 5, 6]

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Share that a model thinks is known on exam day. */
function foretold(questions: readonly Asked[], model?: MemoryModel): number {
  return mean(
    questions.map(({ history }) => {
      const memory = history.reduce<Memory | undefined>(
        (m, { days, right }) => remembered(m, days, right, model),
        undefined,
      )
      const last = history.at(-1)
      const left = EXAM_DAY - ((last?.at ?? 0) - 4 * 3_600_000) / 86_400_000 + 20_000
      return memory ? recallAfter(left, memory, model) : 0
    }),
  )
}

export async function fits(): Promise<Figure[]> {
  const out: Figure[] = []
  for (const student of STUDENTS)
    for (const firm of FIRMNESSES) {
      const lives: Record<'kept' | 'common' | 'own' | 'gain', number>[] = []
      for (const seed of SEEDS) {
        const { questions } = studied(student, OURS, seed, { firm })
        const histories: Histories = new Map(questions.map(({ state, history }) => [state.questionNo, history]))
        const fit = await fitTo(histories)
        const truth = knownOf(questions)
        const common = Math.abs(foretold(questions) - truth)
        const own = fit.weights ? Math.abs(foretold(questions, modelOf(fit.weights)) - truth) : common
        lives.push({ kept: fit.weights ? 1 : 0, common, own, gain: fit.weights ? fit.loss.common - fit.loss.own : 0 })
      }
      const of = (key: keyof (typeof lives)[number]) => mean(lives.map((life) => life[key]))
      out.push({
        name: `${student.name}, ${firm} times as firm: fits kept`,
        value: 100 * of('kept'),
        unit: '%',
        note: `exam day off by ${(100 * of('common')).toFixed(1)} → ${(100 * of('own')).toFixed(1)}, log-loss −${of('gain').toFixed(4)}`,
      })
    }
  return out
}
if (process.argv[1]?.endsWith('fits.ts')) for (const f of await fits()) console.log(f.name, f.value.toFixed(0), f.note)
