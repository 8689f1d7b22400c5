import type { CalendarEntry, CalendarKind } from '#src/contract/news.ts'
import { dayOfDate } from '#src/domain/time/day.ts'
import { dayText } from '#src/ui/dates.ts'

export const CALENDAR_KINDS: Record<CalendarKind, string> = {
  apply: '报名',
  ticket: '准考证',
  exam: '考试',
  result: '成绩',
  other: '其他',
}

const yearOf = (date: string): string => `${date.slice(0, 4)}年`

/** 2026年12月1日, or 2026年12月1日 – 12月31日; over New Year with both years. */
export function spanText({ from, to }: Pick<CalendarEntry, 'from' | 'to'>): string {
  const first = yearOf(from) + dayText(dayOfDate(from))
  if (from === to) return first
  return `${first} – ${yearOf(from) === yearOf(to) ? '' : yearOf(to)}${dayText(dayOfDate(to))}`
}

/** How far it is, counted in days of Beijing. */
export function awayText({ from, to }: Pick<CalendarEntry, 'from' | 'to'>, today: number): string {
  const [first, last] = [dayOfDate(from), dayOfDate(to)]
  if (today > last) return '已结束'
  if (today < first) return first - today === 1 ? '明天开始' : `还有 ${first - today} 天`
  return first === last ? '就在今天' : today === last ? '今天截止' : '进行中'
}
