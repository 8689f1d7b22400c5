import type { DayTotals } from '#src/contract/study.ts'
import { accuracyOf } from '#src/domain/study/stats.ts'
import { type Span, type Week, WEEK_DAYS } from '#src/domain/study/week.ts'
import { dayText } from '#src/ui/dates.ts'
import { percentText, timeText } from '../texts.ts'

const WEEKDAYS = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const
/** Day 0 was a Thursday. */
export const weekdayText = (day: number): string => WEEKDAYS[(((day + 3) % 7) + 7) % 7] ?? ''

/** Says how many days in a row there were: as they stand today, of a week that is over within it. */
export const streakText = ({ streak }: Week, monday: number, today: number): string =>
  today >= monday + WEEK_DAYS ? `最长连续 ${streak} 天` : `连续学习 ${streak} 天`

/** 11月23日 – 11月29日 */
export const rangeText = (from: number, to: number): string => `${dayText(from)} – ${dayText(to)}`

/** Says what days come to, as the title of their chart. @param of such as 这 7 天 */
export function foundText({ all, studied }: Span, of: string): string {
  if (studied === 0) return `${of}还没有做题`
  const took = timeText(all.spentMs)
  // A figure stands apart from the word before it; 不足 1 分钟 does not begin with one.
  const gap = /^\d/.test(took) ? ' ' : ''
  return `${of}学了 ${studied} 天，共${gap}${took}，正确率 ${percentText(accuracyOf(all))}`
}

/** A figure beside what it was: `unit` of the difference is said, never of the figure. */
export function differenceText(now: number, before: number, said: (difference: number) => string): string {
  if (now === before) return '持平'
  return now > before ? `多 ${said(now - before)}` : `少 ${said(before - now)}`
}

/** The difference is in whole percent, as both are shown; null where one of them has no answers. */
export function accuracyDifference(now: DayTotals, before: DayTotals): string | null {
  const [a, b] = [accuracyOf(now), accuracyOf(before)]
  if (a === null || b === null) return null
  const points = Math.round(a * 100) - Math.round(b * 100)
  if (points === 0) return '持平'
  return points > 0 ? `高 ${points} 个百分点` : `低 ${-points} 个百分点`
}
