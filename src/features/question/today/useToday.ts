import { onlineManager, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { libraryListQuery } from '#src/api/libraries.ts'
import type { Library } from '#src/contract/question.ts'
import { dailyLibrary, type Pace, type Task, type TaskPart } from '#src/domain/study/task.ts'
import type { Figures } from '#src/offline/record/figures.ts'
import { offline } from '#src/offline/index.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { dailyLeft } from '#src/offline/record/daily.ts'
import { useFigures } from '#src/offline/useFigures.ts'
import { type DailyWaiting, dailyWaiting, leftOf, NO_DAILY, paceOfDay, readToday, taskToday } from './task.ts'

export interface Today {
  figures: Figures
  task: Task
  daily: DailyWaiting
  pace: Pace
  library: Library | undefined
  /** Reviews that are for today and not on this device: they are not counted in the task. */
  missing: number
  /** These parts have fewer than they would with a network. */
  away: readonly TaskPart[]
  /** A sitting that was begun today and left: the minutes that it was cut to, and its questions that wait. */
  left: { minutes: number | null; task: Task } | null
}

/** Today's task as it is now. Null until it is read. */
export function useToday(): Today | null {
  const client = useQueryClient()
  const figures = useFigures()
  const { data: libraries, isPending, fetchStatus } = useQuery(libraryListQuery())
  const [today, setToday] = useState<Today | null>(null)
  // Without a network the list may never come: then there is no 每日一练.
  const isKnown = !isPending || fetchStatus === 'idle'
  useEffect(() => {
    if (!figures || !isKnown) return
    let current = true
    const show = () => void readTask(client, figures, libraries ?? []).then((found) => current && setToday(found))
    show()
    const stop = prepareLater(client, figures.today, show)
    return () => {
      current = false
      stop()
    }
  }, [client, figures, isKnown, libraries])
  return today
}

async function readTask(client: QueryClient, figures: Figures, libraries: readonly Library[]): Promise<Today> {
  const library = dailyLibrary(libraries, figures.today)
  const common = { figures, pace: paceOfDay(figures), library }
  const [counted, left] = await Promise.all([
    // A device that cannot read its own copies has the sums still.
    countTask(client, figures, libraries).catch(() => estimateTask(figures, library)),
    readLeft(figures).catch(() => null),
  ])
  // A sitting that goes on is counted as it was dealt.
  const task = left?.minutes === null ? left.task : counted.task
  return { ...common, ...counted, task, left: left?.isBegun ? left : null }
}

type Counted = Pick<Today, 'task' | 'daily' | 'missing' | 'away'>

async function countTask(client: QueryClient, figures: Figures, libraries: readonly Library[]): Promise<Counted> {
  const library = dailyLibrary(libraries, figures.today)
  if (!(await isBrought(figures, library))) return estimateTask(figures, library)
  const { composeToday, createPicking } = await import('./compose.ts')
  const picking = createPicking()
  const day = await composeToday(client, { figures, libraries, minutes: null, deals: false }, picking)
  return {
    task: { review: day.review.length, daily: day.daily.length, fresh: day.fresh.length },
    daily: { all: day.dailyAll, apart: day.daily.length },
    missing: day.missing.length,
    away: picking.away,
  }
}

/** Tells whether the day's questions are here as far as they will come, so that they can be counted without a call. */
async function isBrought(figures: Figures, library: Library | undefined): Promise<boolean> {
  if (!onlineManager.isOnline()) return true
  const isPrepared = preparing?.whose === whoseDay(figures.today) && !preparing.done
  return isPrepared || (library !== undefined && (await dailyLeft(offline, library.no, figures.today)) !== null)
}

/** Counts by sums alone, before the day's questions are here. */
async function estimateTask(figures: Figures, library: Library | undefined): Promise<Counted> {
  const daily = await dailyWaiting(figures, library).catch(() => NO_DAILY)
  return { task: taskToday(figures, daily.apart), daily, missing: 0, away: [] }
}

async function readLeft(figures: Figures): Promise<(NonNullable<Today['left']> & { isBegun: boolean }) | null> {
  const dealt = await readToday(figures.today)
  if (!dealt) return null
  const waiting = new Set(await leftOf(dealt, figures))
  const all = dealt.review.length + dealt.daily.length + dealt.fresh.length
  if (waiting.size === 0) return null
  const inPart = (nos: readonly string[]) => nos.filter((no) => waiting.has(no)).length
  return {
    minutes: dealt.minutes,
    task: { review: inPart(dealt.review), daily: inPart(dealt.daily), fresh: inPart(dealt.fresh) },
    isBegun: waiting.size < all,
  }
}

/** Behind whatever the screen itself still fetches. */
const LATER_MS = 2_000
/** Whose task of which day is brought to this device by this page; without `done` it is there. */
let preparing: { whose: string; done?: Promise<void> } | null = null
const whoseDay = (day: number): string => `${offline.owner} ${day}`
const nothing = () => {}

/**
 * Has the questions of a day brought to this device, once a page: quietly, and not at all in 省流模式.
 * @param then told when they are here
 */
function prepareLater(client: QueryClient, day: number, then: () => void): () => void {
  const whose = whoseDay(day)
  if (preparing?.whose === whose) {
    void preparing.done?.then(then, nothing)
    return nothing
  }
  if (!onlineManager.isOnline() || packSettings.saver()) return nothing
  const timer = setTimeout(() => {
    const done = import('./prepare.ts').then(({ prepareToday }) => prepareToday(client))
    preparing = { whose, done }
    done.then(
      () => {
        preparing = { whose }
        then()
      },
      () => (preparing = null),
    )
  }, LATER_MS)
  return () => clearTimeout(timer)
}
