import type { DayTotals, StudyState } from '#src/contract/study.ts'
import { dateOf, dayOfDate } from '../time/day.ts'
import { addDay, NO_TIME } from './days.ts'
import { calendar, type CalendarDay, type Days, mondayOf, streakOf } from './stats.ts'

/** Weeks begin on Monday, and are days of Asia/Shanghai, as all days are; a week is known by its Monday. */
export const WEEK_DAYS = 7

/** The name of a week by ISO 8601, such as 2026-W48: it belongs to the year that its Thursday is in. */
export function weekName(monday: number): string {
  const thursday = monday + 3
  const year = dateOf(thursday).slice(0, 4)
  const number = Math.floor((thursday - dayOfDate(`${year}-01-01`)) / WEEK_DAYS) + 1
  return `${year}-W${String(number).padStart(2, '0')}`
}

/** Returns the Monday of a week that is given by its name or by one of its dates; null: there is no such week. */
export function mondayNamed(text: string): number | null {
  const [, year, number] = /^(\d{4})-W(\d{2})$/.exec(text) ?? []
  if (year !== undefined) {
    // The fourth of January is in the first week, whatever day it is.
    const monday = mondayOf(dayOfDate(`${year}-01-04`)) + (Number(number) - 1) * WEEK_DAYS
    return weekName(monday) === text ? monday : null
  }
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayOfDate(text) : NaN
  // Some engines take 30 February for a day of March.
  return Number.isInteger(day) && dateOf(day) === text ? mondayOf(day) : null
}

export const totalOf = (days: readonly DayTotals[]): DayTotals =>
  days.reduce<DayTotals>((sum, each) => addDay(sum, each), NO_TIME)

export interface Span {
  days: readonly CalendarDay[]
  all: DayTotals
  /** Days with an answer. */
  studied: number
}
export function spanOf(days: Days, from: number, to: number): Span {
  const shown = calendar(days, from, to)
  return { days: shown, all: totalOf(shown), studied: shown.filter(({ answered }) => answered > 0).length }
}

export interface Week {
  /** The week is counted as far as it has come. */
  now: Span
  /** The same days of the week before: half a week is not held against a whole one. */
  before: Span
  /** 连续学习 as it stands, of the present week; of one that is over, the most of its days in a row. */
  streak: number
}
export function weekOf(days: Days, monday: number, today: number): Week {
  const sunday = monday + WEEK_DAYS - 1
  const until = Math.min(today, sunday)
  const now = spanOf(days, monday, until)
  return {
    now,
    before: spanOf(days, monday - WEEK_DAYS, until - WEEK_DAYS),
    streak: today > sunday ? longestRun(now.days) : streakOf(days, today),
  }
}

/** Tells whether a student had never studied before a week. */
export const isFirstWeek = (days: Days, monday: number): boolean =>
  ![...days].some(([day, { answered }]) => day < monday && answered > 0)

/** Nobody could tell from a report of a past week whether a run went on after it, so it is counted within the week. */
function longestRun(days: readonly CalendarDay[]): number {
  let [longest, run] = [0, 0]
  for (const { answered } of days) {
    run = answered > 0 ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

/** Counts questions that were missed, by library and by point, the most first. */
export function countMissed(states: readonly StudyState[], of: (state: StudyState) => readonly string[]) {
  const counts = new Map<string, number>()
  for (const state of states) for (const no of of(state)) counts.set(no, (counts.get(no) ?? 0) + 1)
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
}
