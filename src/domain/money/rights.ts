/** What a right can be to. */
export type RightKind = 'set' | 'exam' | 'course' | 'package' | 'vip'

/** The end of what is for good: as far as a time can be. */
export const FOR_GOOD = 8_640_000_000_000_000
const DAY_MS = 86_400_000

/** What one purchase gave; of several, each begins where the one before ends. */
export interface Grant {
  /** When, epoch ms. */
  at: number
  /** Null: until `until`, or where that is null, too, for good. */
  days: number | null
  until: number | null
}

/** The end of a right by all that was granted, in the order of their times. @param base the end without them; null: there is none */
export function endOf(grants: readonly Grant[], base: number | null): number | null {
  let end = base
  for (const { at, days, until } of grants) {
    const from = Math.max(end ?? 0, at)
    end = days === null ? Math.max(end ?? 0, until ?? FOR_GOOD) : Math.min(FOR_GOOD, from + days * DAY_MS)
  }
  return end
}
