import { FSRSAlgorithm } from 'ts-fsrs'
import type { Memory, StudyState } from '#src/contract/study.ts'
import { dayOf } from '../time/day.ts'

/** Chance of still knowing it on the day it is due. */
export const RETENTION = 0.9
const LONGEST_DAYS = 365
const OPTIONS = { request_retention: RETENTION, maximum_interval: LONGEST_DAYS, enable_fuzz: false }
/** It says how memories grow firm and fade: most people's, or one student's own. */
export type MemoryModel = FSRSAlgorithm
const MOST_PEOPLES: MemoryModel = new FSRSAlgorithm(OPTIONS)

/** @param weights FSRS-6's, in its order. */
export const modelOf = (weights: readonly number[]): MemoryModel => new FSRSAlgorithm({ ...OPTIONS, w: weights })

const AGAIN = 1
const HARD = 2
const GOOD = 3
/** Engines differ in the last digits of exp and pow; a schedule must not. */
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

/**
 * What is remembered after one more answer (FSRS).
 * @param days since the last one, whole days of Asia/Shanghai; not negative.
 */
export function remembered(
  memory: Memory | undefined,
  days: number,
  right: boolean,
  fsrs: MemoryModel = MOST_PEOPLES,
): Memory {
  const next = fsrs.next_state(memory ?? null, days, right ? GOOD : AGAIN)
  const state = { stability: rounded(next.stability), difficulty: rounded(next.difficulty) }
  if (!memory || !right) return state
  // ts-fsrs has what was known come back later than what was hardly known, by a day at least.
  const own = daysOf(state)
  const hard = daysOf({ stability: rounded(fsrs.next_state(memory, days, HARD).stability) })
  return hard < own || own === LONGEST_DAYS ? state : { ...state, days: own + 1 }
}

const daysOf = ({ stability, days }: Pick<Memory, 'stability' | 'days'>): number =>
  // Every model has it due at the same chance, which is what its stability is measured by.
  days ?? MOST_PEOPLES.next_interval(stability, 0)

/** Chance of knowing it so many days after the last answer (FSRS). @param days not negative. */
export const recallAfter = (days: number, { stability }: Memory, fsrs: MemoryModel = MOST_PEOPLES): number =>
  fsrs.forgetting_curve(days, stability)

/**
 * The day on which a question is due for review; null when it is not reviewed: only what was once in the error book is, and not
 * what the student took out of it by hand.
 */
export function dueDay({ book, memory, lastAt }: Pick<StudyState, 'book' | 'memory' | 'lastAt'>): number | null {
  if (!book || book.out) return null
  // Put in by hand after the last answer: at once, but no question twice on a day.
  if (book.since > lastAt) return Math.max(dayOf(book.since), dayOf(lastAt) + 1)
  return dayOf(lastAt) + (memory ? daysOf(memory) : 1)
}
