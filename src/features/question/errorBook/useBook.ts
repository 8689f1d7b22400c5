import { useQuery } from '@tanstack/react-query'
import { libraryListQuery } from '#src/api/libraries.ts'
import { pointNamesQuery } from '#src/api/points.ts'
import { type BookGroup, isGroup } from '#src/domain/study/errorBook.ts'
import type { Backlog } from '#src/domain/study/plan.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { NO_RECORD, readFigures } from '#src/offline/record/figures.ts'
import { type Counters, offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { errorRule } from '#src/player/marks/bookActs.ts'
import type { Names } from './groups.ts'

/** What there is to review today, and what becomes of the rest. */
export interface Plan extends Backlog {
  today: number
}
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
  const [{ plan, backlog, days, today, rows }, rule] = await Promise.all([
    readFigures(offline, serverNow()).catch(() => readFigures(NO_RECORD, serverNow())),
    errorRule(),
  ])
  const last = Math.max(0, ...[...days].map(([day, { answered }]) => (answered > 0 ? day : 0)))
  return {
    rows,
    rule,
    plan: { today: plan[0]?.planned ?? 0, ...backlog },
    paused: last > 0 ? Math.max(0, today - last - 1) : 0,
  }
}

/** The rows of a grouping, which may need more of them than the book has read. Null until read. */
export function useGrouped(rows: readonly Counters[], by: BookGroup | undefined): readonly Counters[] | null {
  const grouped = useRecord(isGroup(by) ? readGroups : readNone).data
  return isGroup(by) ? grouped : rows
}
const readGroups = (): Promise<readonly Counters[]> => offline.allCounters('groups').catch(() => [])
const readNone = (): Promise<null> => Promise.resolve(null)

/** Names for what the sums know by number. What cannot be had is called by a general one. */
export function useNames(): Names {
  const { data: libraries = [] } = useQuery(libraryListQuery())
  const { data: points = {} } = useQuery(pointNamesQuery())
  return { libraries, points }
}
