import type { Memory, StudyState } from '#src/contract/study.ts'
import { dayOf } from '../time/day.ts'
import { recallAfter, RETENTION } from './review.ts'
import { type Choice, type ChoiceParts, daysThatCount, expectedGain, paceByType } from './reviewChoice.ts'

/**
 * 防遗忘: questions that were right the first time come back as well, rarely, within the share of the day that the student has set.
 * Those that have most likely been forgotten by now come first.
 */

export interface LapseParts extends Pick<ChoiceParts, 'today' | 'examDay' | 'practice' | 'model'> {
  /** Share of all students whose first answer was right, in percent, by number, as far as the device knows it. */
  averages: ReadonlyMap<string, number>
}
/** The time for them, ms, and how many there may be. */
type LapseRoom = Pick<ChoiceParts, 'ms' | 'most'>

/** Tells whether a question was right each time, and never was in the error book: what was has a plan of its own. */
export const isUnfailed = ({ times, wrong, book, memory }: StudyState): boolean =>
  times > 0 && wrong === 0 && !book && memory !== undefined

/**
 * A question that was right at once was known before: it is forgotten so many times as slowly as what FSRS believes was learnt by that answer.
 * The factors are assumed; `npm run bench -- plan` tells what follows where others are true.
 */
const KNOWN_BEFORE = 4
const GUESSED = 0.1
const SLOW = { times: 2, factor: 0.5 }
const HARD = { percent: 50, factor: 0.5 }

/**
 * Returns the memory of a question that was never wrong, as far as its answers tell it: a guess is hardly one, and what took long or
 * what most others missed was less certain.
 * @param usualMs the time that an answer to its type takes this student
 * @param average share of all students who had it right, in percent
 */
export function believedMemory(
  state: StudyState & { memory: Memory },
  usualMs: number,
  average: number | undefined,
): Memory {
  const { memory, cause, spentMs, times } = state
  const factors = [
    cause === 'guess' ? GUESSED : 1,
    spentMs > SLOW.times * usualMs * times ? SLOW.factor : 1,
    average !== undefined && average < HARD.percent ? HARD.factor : 1,
  ]
  return {
    ...memory,
    stability: factors.reduce((product, factor) => product * factor, KNOWN_BEFORE * memory.stability),
  }
}

export interface Lapse {
  state: StudyState
  /** The time that it is expected to take, ms. */
  ms: number
}

/** Ranks what was never wrong and has faded by now: what an answer adds most to for each second comes first. */
export function rankLapses(states: readonly StudyState[], parts: LapseParts): Lapse[] {
  const { today, practice, averages, model } = parts
  const days = daysThatCount(parts)
  const pace = paceByType(states, practice)
  const ranked = states.flatMap((state) => {
    const { memory, questionNo, type } = state
    const lastDay = dayOf(state.lastAt)
    if (!memory || !isUnfailed(state) || lastDay >= today) return []
    const ms = pace(type)
    const believed = believedMemory({ ...state, memory }, ms, averages.get(questionNo))
    if (recallAfter(today - lastDay, believed, model) >= RETENTION) return []
    return [{ state, ms, worth: expectedGain(believed, lastDay, today, days, model) / ms }]
  })
  return ranked
    .sort((a, b) => b.worth - a.worth || (a.state.questionNo < b.state.questionNo ? -1 : 1))
    .map(({ state, ms }) => ({ state, ms }))
}

/** Chooses the first of them that fit: never more than there is room for, and nothing where nothing fits. */
export function chooseLapses(states: readonly StudyState[], parts: LapseParts & LapseRoom): Choice {
  const reviews: StudyState[] = []
  const ms = new Map<string, number>()
  let left = parts.ms
  for (const { state, ms: cost } of rankLapses(states, parts)) {
    if (reviews.length >= parts.most) break
    if (cost > left) continue
    reviews.push(state)
    ms.set(state.questionNo, cost)
    left -= cost
  }
  return { reviews, ms }
}
