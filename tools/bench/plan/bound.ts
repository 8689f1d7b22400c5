import type { Memory } from '#src/contract/study.ts'
import { recallAfter, remembered } from '#src/domain/study/review.ts'
import { expectedGain } from '#src/domain/study/reviewChoice.ts'

/** Questions that are known on exam day, on average over all that answers can come to. */
export interface Known {
  /** The best plan that exists decides each day anew. */
  best: number
  /** Our choice takes what adds most that day. */
  ours: number
  /** Without any review. */
  none: number
}

/** Tries every plan of one review a day until the exam. The tree has (2 × questions) ^ days leaves. */
export function bestAndOurs(memories: readonly Memory[], days: number): Known {
  const start = memories.map((memory) => ({ memory, last: -1 }))
  const gainsOn = (questions: Questions, day: number) =>
    questions.map(({ memory, last }) => expectedGain(memory, last, day, [days]))
  const every = (questions: Questions) => questions.map((_, i) => i)
  const ours = (questions: Questions, day: number) => {
    const gains = gainsOn(questions, day)
    return [gains.indexOf(Math.max(...gains))]
  }
  return {
    best: value(start, 0, days, every),
    ours: value(start, 0, days, ours),
    none: known(start, days),
  }
}

type Questions = readonly { memory: Memory; last: number }[]

const known = (questions: Questions, exam: number): number =>
  questions.reduce((sum, { memory, last }) => sum + recallAfter(exam - last, memory), 0)

const answered = (questions: Questions, i: number, day: number, right: boolean): Questions =>
  questions.map((each, at) =>
    at === i ? { memory: remembered(each.memory, day - each.last, right), last: day } : each,
  )

function value(
  questions: Questions,
  day: number,
  exam: number,
  pick: (questions: Questions, day: number) => readonly number[],
): number {
  if (day === exam) return known(questions, exam)
  const after = (i: number): number => {
    const asked = questions[i]
    const chance = asked ? recallAfter(day - asked.last, asked.memory) : 0
    const then = (right: boolean) => value(answered(questions, i, day, right), day + 1, exam, pick)
    return chance * then(true) + (1 - chance) * then(false)
  }
  return Math.max(...pick(questions, day).map(after))
}
