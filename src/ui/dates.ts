import { dateOf, dayOf, startOf } from '#src/domain/time/day.ts'

/** Dates as students read them: of Beijing, whatever zone the phone is set to. */

/** 11月21日 */
export function dayText(day: number): string {
  const [, month, date] = dateOf(day).split('-').map(Number)
  return `${month}月${date}日`
}

const yearOf = (day: number): string => dateOf(day).slice(0, 4)

/** 2026年11月21日, also in this year. */
export const fullDateText = (at: number): string => `${yearOf(dayOf(at))}年${dayText(dayOf(at))}`

/** The day of a moment (epoch ms); with its year when that is not this one. */
export function dateText(at: number): string {
  const day = dayOf(at)
  return `${yearOf(day) === yearOf(dayOf(Date.now())) ? '' : `${yearOf(day)}年`}${dayText(day)}`
}

/** 09:30 */
export const clockText = (at: number): string => new Date(at - startOf(dayOf(at))).toISOString().slice(11, 16)

/** 11月21日 09:30; '' for a damaged record, which has no time. */
export const timeText = (at: number): string => (Number.isFinite(at) ? `${dateText(at)} ${clockText(at)}` : '')
