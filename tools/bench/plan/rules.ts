import type { StudyState } from '#src/contract/study.ts'
import { chooseLapses } from '#src/domain/study/lapses.ts'
import {
  lapseRoomOf,
  NOTHING_DEALT,
  planReviews,
  reviewsADay,
  reviewsToday,
  roomBeside,
  roomOf,
} from '#src/domain/study/plan.ts'
import { dueDay } from '#src/domain/study/review.ts'
import { type ChoiceParts, chooseReviews, inTurns } from '#src/domain/study/reviewChoice.ts'
import { dayOf } from '#src/domain/time/day.ts'
import type { Asked, Rule } from './student.ts'

const dueOf = ({ state }: Asked): number => dueDay(state) ?? Infinity
type Choose = (states: readonly StudyState[], parts: ChoiceParts & { count: number }) => readonly StudyState[]

/** The product's plan says how many questions there are to choose, and from which. */
const planned =
  (hasDate: boolean, choose: Choose, lapseShare = 0): Rule =>
  ({ questions, today, examDay, minutes, model }) => {
    const exam = hasDate ? examDay : null
    const states = questions.map(({ state }) => state)
    const practice = practiceOf(states)
    const settings = { minutesADay: minutes, mostADay: Infinity, lapseShare }
    const averages = new Map(questions.flatMap(({ state, average = NaN }) => [[state.questionNo, average] as const]))
    const lapses =
      lapseShare === 0
        ? NONE
        : chooseLapses(states, { today, examDay: exam, practice, model, averages, ...lapseRoomOf(settings) })
    const lapseMs = [...lapses.ms.values()].reduce((sum, ms) => sum + ms, 0)
    const due = new Map<number, number>()
    for (const each of questions) due.set(dueOf(each), (due.get(dueOf(each)) ?? 0) + 1)
    const dealt = { ...NOTHING_DEALT, count: lapses.reviews.length, ms: lapseMs }
    const room = roomBeside(roomOf(settings, practice, dealt), { count: dealt.count, ms: lapseMs })
    const plan = planReviews({
      due,
      today,
      most: reviewsADay(settings, practice),
      room: room.count,
      answered: 0,
      examDay: exam,
    })
    const { count, until } = reviewsToday(plan, exam)
    const candidates = states.filter((state) => (dueDay(state) ?? Infinity) <= until)
    const ahead = plan[0]?.ahead ?? 0
    const chosen = choose(candidates, { ...room, today, examDay: exam, practice, model, ahead, count })
    const byNumber = new Map(questions.map((each) => [each.state.questionNo, each]))
    return inTurns([...chosen, ...lapses.reviews]).flatMap(({ questionNo }) => byNumber.get(questionNo) ?? [])
  }
const NONE: ReturnType<typeof chooseLapses> = { reviews: [], ms: new Map() }
const ours: Choose = (states, parts) => chooseReviews(states, parts).reviews
/** Orders by what is left of a memory: days since the answer over its stability. */
const mostForgotten: Choose = (states, { today, count }) => {
  const forgotten = ({ lastAt, memory }: StudyState) => (today - dayOf(lastAt)) / (memory?.stability ?? 1)
  return states.toSorted((a, b) => forgotten(b) - forgotten(a)).slice(0, count)
}

function practiceOf(states: readonly StudyState[]) {
  const of = (value: (state: StudyState) => number) => states.reduce((sum, state) => sum + value(state), 0)
  const answered = of(({ times }) => times)
  return { done: states.length, mastered: 0, answered, right: 0, spentMs: of(({ spentMs }) => spentMs) }
}

const due =
  (dayIt: (asked: Asked) => number): Rule =>
  ({ questions, today }) =>
    questions.filter((each) => dayIt(each) <= today).sort((a, b) => dayIt(a) - dayIt(b))

export const OURS = planned(true, ours)
export const MOST_FORGOTTEN = 'most forgotten first'
/** Ours, with a share of the day, in percent, for what was never wrong. */
export const withShare = (share: number): Rule => planned(true, ours, share)
/** Other rules, of which ours must be as good as the best. */
export const OTHERS: Readonly<Record<string, Rule>> = {
  'ours without a date': planned(false, ours),
  'SM-2': due(({ state, sm2 }) => dayOf(state.lastAt) + sm2.days),
  'FSRS as due': due(dueOf),
  [MOST_FORGOTTEN]: planned(true, mostForgotten),
}
