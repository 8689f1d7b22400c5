import type { DayTotals } from '#src/contract/study.ts'

export const NO_TIME: DayTotals = { answered: 0, right: 0, spentMs: 0 }
export function addDay(day: DayTotals = NO_TIME, by: DayTotals, sign: 1 | -1 = 1): DayTotals {
  return {
    answered: day.answered + sign * by.answered,
    right: day.right + sign * by.right,
    spentMs: day.spentMs + sign * by.spentMs,
  }
}
/** What one answer adds to its day. */
export const dayOfAnswer = ({
  right = false,
  spentMs,
}: {
  right?: boolean | undefined
  spentMs: number
}): DayTotals => ({
  answered: 1,
  right: right ? 1 : 0,
  spentMs,
})
