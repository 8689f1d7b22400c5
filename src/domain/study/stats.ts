import type { DayTotals } from '#src/contract/study.ts'
import type { ChapterSums, Sums } from './sums.ts'
import { NO_TIME } from './days.ts'

/** What a student reads about their studying, from sums and days alone: never from the questions one by one. */

export interface Practice {
  /** Questions that were ever answered. */
  done: number
  /** Those whose last answer was right. */
  mastered: number
  /** Answers, and the right ones among them. */
  answered: number
  right: number
  spentMs: number
}
const NOTHING: Practice = { done: 0, mastered: 0, answered: 0, right: 0, spentMs: 0 }

const practiceOf = (sums: Sums, prefix = ''): Practice => {
  const of = (name: string) => sums[prefix + name] ?? 0
  const answered = of('answered')
  return { done: of('done'), mastered: of('right'), answered, right: answered - of('wrong'), spentMs: of('ms') }
}
const together = (a: Practice, b: Practice): Practice => ({
  done: a.done + b.done,
  mastered: a.mastered + b.mastered,
  answered: a.answered + b.answered,
  right: a.right + b.right,
  spentMs: a.spentMs + b.spentMs,
})

export const total = (rows: readonly ChapterSums[]): Practice =>
  rows.map(({ sums }) => practiceOf(sums)).reduce(together, NOTHING)

/** By library or by leaf chapter. */
export function practiceBy(rows: readonly ChapterSums[], key: 'libraryNo' | 'chapterNo'): Map<string, Practice> {
  const found = new Map<string, Practice>()
  for (const row of rows) found.set(row[key], together(found.get(row[key]) ?? NOTHING, practiceOf(row.sums)))
  return found
}

/** One pass that adds in place: a row has a few names for each of its points, and a student of three years thousands of rows. */
export function practiceByPoint(rows: readonly ChapterSums[]): Map<string, Practice> {
  const found = new Map<string, Record<string, number>>()
  for (const { sums } of rows)
    for (const [name, amount] of Object.entries(sums)) {
      if (!name.startsWith(POINT)) continue
      const end = name.lastIndexOf(':')
      const [no, what] = [name.slice(POINT.length, end), name.slice(end + 1)]
      const point = found.get(no) ?? {}
      point[what] = (point[what] ?? 0) + amount
      found.set(no, point)
    }
  return new Map([...found].map(([no, sums]) => [no, practiceOf(sums)]))
}
const POINT = 'point:'

/** Questions that fall due for review, by day. */
export function dueByDay(rows: readonly ChapterSums[]): Map<number, number> {
  const found = new Map<number, number>()
  for (const { sums } of rows)
    for (const [name, count] of Object.entries(sums)) {
      if (!name.startsWith('due:')) continue
      const day = Number(name.slice(4))
      found.set(day, (found.get(day) ?? 0) + count)
    }
  return found
}

/**
 * Cuts the days up to `until` into spans, the first day first. A span has at most `most` questions due, or one day.
 * @param due questions by the day on which they fall due.
 */
export function spansOfDue(
  due: ReadonlyMap<number, number>,
  until: number,
  most: number,
): { from: number; to: number }[] {
  const spans: { from: number; to: number; count: number }[] = []
  for (const [day, count] of [...due].sort(([a], [b]) => a - b)) {
    if (day > until || count <= 0) continue
    const last = spans.at(-1)
    if (last && last.count + count <= most) Object.assign(last, { to: day, count: last.count + count })
    else spans.push({ from: day, to: day, count })
  }
  return spans.map(({ from, to }) => ({ from, to }))
}

/** A share from 0 to 1; null of nothing. */
const share = (part: number, of: number): number | null => (of > 0 ? part / of : null)
/** 正确率: of all answers. */
export const accuracyOf = ({ right, answered }: Pick<Practice, 'right' | 'answered'>): number | null =>
  share(right, answered)
/** 掌握度: of the questions done, those that were right the last time. */
export const masteryOf = ({ mastered, done }: Practice): number | null => share(mastered, done)

/** Fewer answers say nothing about a student. */
export const ENOUGH = 5
/** What the student knows least comes first, as far as there are answers enough to say so. */
export function weakest(found: ReadonlyMap<string, Practice>): [no: string, practice: Practice][] {
  const rate = (practice: Practice) => accuracyOf(practice) ?? 1
  return [...found]
    .filter(([no, { answered }]) => no !== '' && answered >= ENOUGH)
    .sort(([a, x], [b, y]) => rate(x) - rate(y) || y.answered - x.answered || (a < b ? -1 : 1))
}

/** Days by their number; those that are not there were without an answer. */
export type Days = ReadonlyMap<number, DayTotals>
export interface CalendarDay extends DayTotals {
  day: number
}
export const calendar = (days: Days, from: number, to: number): CalendarDay[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => ({ ...(days.get(from + i) ?? NO_TIME), day: from + i }))

/** The Monday of a day's week: day 0 was a Thursday. */
export const mondayOf = (day: number): number => day - ((((day + 3) % 7) + 7) % 7)

const studied = (days: Days, day: number): boolean => (days.get(day)?.answered ?? 0) > 0

/**
 * 连续学习: days in a row with an answer, up to today; today's absence ends nothing before the day has. Counted anew from the days
 * each time, so what a late sync brings mends it.
 */
export function streakOf(days: Days, today: number): number {
  let day = studied(days, today) ? today : today - 1
  let count = 0
  for (; studied(days, day); day--) count++
  return count
}

/** The most days in a row there ever were. */
export function longestStreak(days: Days): number {
  let longest = 0
  for (const day of days.keys()) if (!studied(days, day + 1)) longest = Math.max(longest, streakOf(days, day))
  return longest
}
