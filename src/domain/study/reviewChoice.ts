import type { Memory, StudyState } from '#src/contract/study.ts'
import { dayOf } from '../time/day.ts'
import { boundedPace, paceOf } from './plan.ts'
import { dueDay, type MemoryModel, recallAfter, remembered } from './review.ts'
import type { Practice } from './stats.ts'

/** The day, the exam and the room that a choice of reviews is made for. Days are numbers of days (time/day.ts). */
export interface ChoiceParts {
  today: number
  /** Null while the student has named none. */
  examDay: number | null
  /** All answers of the student: the pace of a type that was answered rarely is near theirs. */
  practice: Pick<Practice, 'answered' | 'spentMs'>
  /** Time for them, ms. */
  ms: number
  /** Questions at most, however quick they are. */
  most: number
  /** Questions at most that are not due yet. */
  ahead: number
  /** The student remembers by it. */
  model?: MemoryModel | undefined
}
export interface Choice {
  /** Chapters take turns. */
  reviews: StudyState[]
  /** The time that each is expected to take, ms, by number. */
  ms: Map<string, number>
}

/** Without an exam ahead a review is worth what it adds over so many days. */
const HORIZON_DAYS = 90
/** The mean over these days differs from that over all of them in the third digit only. */
const STEP_DAYS = 10

/** The days on which knowing counts. */
export function daysThatCount({ today, examDay }: Pick<ChoiceParts, 'today' | 'examDay'>): number[] {
  if (examDay !== null && examDay > today) return [examDay]
  return Array.from({ length: HORIZON_DAYS / STEP_DAYS }, (_, i) => today + STEP_DAYS / 2 + i * STEP_DAYS)
}

/**
 * Tells how much one more answer today is expected to add to the chance of knowing a question, as a mean over the days that count.
 * It is right with the chance that FSRS gives, and what is remembered after a right or a wrong answer is forgotten again.
 * @param days on which knowing counts, none before today.
 */
export function expectedGain(
  memory: Memory,
  lastDay: number,
  today: number,
  days: readonly number[],
  model?: MemoryModel,
): number {
  const since = Math.max(0, today - lastDay)
  const chance = recallAfter(since, memory, model)
  const right = remembered(memory, since, true, model)
  const wrong = remembered(memory, since, false, model)
  const gainOn = (day: number): number =>
    chance * recallAfter(day - today, right, model) +
    (1 - chance) * recallAfter(day - today, wrong, model) -
    recallAfter(day - today + since, memory, model)
  return days.reduce((sum, day) => sum + gainOn(day), 0) / days.length
}

/** So many answers at the student's own pace are added to those of a type. */
const USUAL_ANSWERS = 5

/** Tells how long an answer to a question of each type takes this student, ms. */
export function paceByType(
  states: readonly StudyState[],
  practice: ChoiceParts['practice'],
): (type: StudyState['type']) => number {
  const usual = paceOf(practice)
  const found = new Map<StudyState['type'], { answered: number; spentMs: number }>()
  for (const { type, times, spentMs } of states) {
    const of = found.get(type) ?? { answered: USUAL_ANSWERS, spentMs: USUAL_ANSWERS * usual }
    found.set(type, { answered: of.answered + times, spentMs: of.spentMs + spentMs })
  }
  return (type) => {
    const of = found.get(type)
    return of ? boundedPace(of.spentMs / of.answered) : usual
  }
}

/**
 * Chooses today's reviews of those that are due, or may be seen ahead: what adds most for each second that it takes, within the time
 * there is. What was put in by hand comes first. One is chosen even if it takes longer, and none that was answered today.
 */
export function chooseReviews(states: readonly StudyState[], parts: ChoiceParts): Choice {
  const { today } = parts
  const days = daysThatCount(parts)
  const pace = paceByType(states, parts.practice)
  const ranked = states
    .filter(({ lastAt }) => dayOf(lastAt) < today)
    .map((state) => ({ state, ms: pace(state.type), worth: worthOf(state, parts, days) / pace(state.type) }))
    .sort((a, b) => b.worth - a.worth || b.state.wrong - a.state.wrong || byNumber(a.state, b.state))
  const reviews: StudyState[] = []
  const ms = new Map<string, number>()
  let left = parts.ms
  let ahead = 0
  for (const { state, ms: cost } of ranked) {
    if (reviews.length >= parts.most) break
    const isAhead = (dueDay(state) ?? Infinity) > today
    if ((isAhead && ahead >= parts.ahead) || (cost > left && reviews.length > 0)) continue
    reviews.push(state)
    ms.set(state.questionNo, cost)
    left -= cost
    if (isAhead) ahead++
  }
  return { reviews: inTurns(reviews), ms }
}

const byNumber = (a: StudyState, b: StudyState): number => (a.questionNo < b.questionNo ? -1 : 1)

const worthOf = (
  { book, memory, lastAt }: StudyState,
  { today, model }: ChoiceParts,
  days: readonly number[],
): number =>
  !memory || (book?.since ?? 0) > lastAt
    ? Number.POSITIVE_INFINITY
    : expectedGain(memory, dayOf(lastAt), today, days, model)

/** One chapter takes turns with another. */
export function inTurns(states: readonly StudyState[]): StudyState[] {
  const turns = new Map<string | null, number>()
  return states
    .map((state) => {
      const turn = turns.get(state.chapterNo) ?? 0
      turns.set(state.chapterNo, turn + 1)
      return { state, turn }
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ state }) => state)
}
