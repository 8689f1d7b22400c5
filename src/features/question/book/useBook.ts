import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { query } from '#src/api/query.ts'
import { structural } from '#src/contract/structural.ts'
import type { Backlog } from '#src/domain/plan.ts'
import { NO_RECORD, readFigures } from '#src/offline/figures.ts'
import { type Counters, offline } from '#src/offline/index.ts'
import { errorRule } from '../lists.ts'
import { libraryListQuery } from '../queries.ts'
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
export function useBook(): Book | null {
  const [book, setBook] = useState<Book | null>(null)
  useEffect(() => {
    let current = true
    const load = () => void readBook().then((read) => current && setBook(read))
    load()
    const stop = offline.onChange(load)
    return () => {
      current = false
      stop()
    }
  }, [])
  return book
}

async function readBook(): Promise<Book> {
  const [{ plan, backlog, days, today }, rows, rule] = await Promise.all([
    readFigures(offline, Date.now()).catch(() => readFigures(NO_RECORD, Date.now())),
    offline.allCounters().catch(() => []),
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

const pointsQuery = (subject: string) => query(structural.getPoint, { subject })

/** Names for what the sums know by number. What cannot be had is called by a general one. */
export function useNames(): Names {
  const { data: libraries = [] } = useQuery(libraryListQuery())
  const subjects = [...new Set(libraries.map(({ subject }) => subject.no))]
  const trees = useQueries({ queries: subjects.map(pointsQuery) })
  return { libraries, points: new Map(trees.flatMap(({ data = [] }) => data.map(({ no, name }) => [no, name]))) }
}
