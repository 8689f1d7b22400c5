import { useQuery } from '@tanstack/react-query'
import { libraryListQuery } from '#src/api/libraries.ts'
import { pointNamesQuery } from '#src/api/points.ts'
import type { DayTotals } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/day.ts'
import { DUE_MAX, dueBy, type Plan, planOf } from '#src/domain/errorBook.ts'
import { type Counters, offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { errorRule } from '#src/player/bookActs.ts'
import { reviewRoom, reviewsDone } from '../lists.ts'
import type { Names } from './groups.ts'

export interface Book {
  rows: readonly Counters[]
  rule: number
  plan: Plan
  /** Whole days without an answer before today. */
  paused: number
}

/** The error book in figures, from sums: it costs the same for ten questions and for ten thousand. Null until read. */
export const useBook = (): Book | null => useRecord(readBook).data

async function readBook(): Promise<Book> {
  const today = dayOf(Date.now())
  // A device that cannot read its record shows an empty book rather than nothing at all.
  const [rows, rule, done, { most }, days] = await Promise.all([
    offline.allCounters().catch(() => []),
    errorRule(),
    reviewsDone(today).catch(() => 0),
    reviewRoom().catch(() => ({ most: DUE_MAX })),
    offline.things('day').catch(() => new Map<string, DayTotals>()),
  ])
  const last = Math.max(0, ...[...days].map(([day, { answered }]) => (answered > 0 ? Number(day) : 0)))
  return {
    rows,
    rule,
    plan: planOf(dueBy(rows), today, done, most),
    paused: last > 0 ? Math.max(0, today - last - 1) : 0,
  }
}

/** Names for what the sums know by number. What cannot be had is called by a general one. */
export function useNames(): Names {
  const { data: libraries = [] } = useQuery(libraryListQuery())
  const { data: points = {} } = useQuery(pointNamesQuery())
  return { libraries, points }
}
