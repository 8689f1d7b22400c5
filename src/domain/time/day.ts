export const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Students live by Beijing time, which knows no summer time; a phone may be set to any zone. */
const OFFSET_MS = 8 * 3_600_000

/** The day of a moment (epoch ms) in Asia/Shanghai, counted from 1970-01-01. */
export const dayOf = (at: number): number => Math.floor((at + OFFSET_MS) / DAY_MS)
/** The first moment of a day, epoch ms. */
export const startOf = (day: number): number => day * DAY_MS - OFFSET_MS
/** YYYY-MM-DD */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
/** NaN for what is no date. */
export const dayOfDate = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS
