import type { VipDuration } from '#src/contract/vip.ts'

const DAY_MS = 86_400_000

/** Days of a duration that is bought today; null: it lasts until an exam day that is not set, or that has been. */
export function daysOf({ days }: Pick<VipDuration, 'days'>, today: number, examDay: number | null): number | null {
  if (days !== null) return days
  return examDay === null || examDay < today ? null : examDay - today + 1
}

/** Whole fen, rounded. */
export const perDay = (price: number, days: number): number => Math.round(price / days)

/** Days that are left until a moment, the begun one counted: 0 when it is over. Both epoch ms. */
export const daysLeft = (until: number, now: number): number => Math.max(0, Math.ceil((until - now) / DAY_MS))

/** What ends within so many days is reminded of. */
export const SOON_DAYS = 7
