import { onlineManager, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { libraryListQuery } from '#src/api/libraries.ts'
import type { Library } from '#src/contract/question.ts'
import { dailyLibrary, type Pace, type Task } from '#src/domain/study/task.ts'
import type { Figures } from '#src/offline/record/figures.ts'
import { offline } from '#src/offline/index.ts'
import { packSettings } from '#src/offline/downloads/downloadSettings.ts'
import { useFigures } from '#src/offline/useFigures.ts'
import { type DailyWaiting, dailyWaiting, leftOf, NO_DAILY, paceOfDay, readToday, taskToday } from './task.ts'

export interface Today {
  figures: Figures
  task: Task
  daily: DailyWaiting
  pace: Pace
  library: Library | undefined
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
    const show = () => void readTask(figures, libraries ?? []).then((found) => current && setToday(found))
    show()
    const stop = prepareLater(client, figures.today, show)
    return () => {
      current = false
      stop()
    }
  }, [client, figures, isKnown, libraries])
  return today
}

async function readTask(figures: Figures, libraries: readonly Library[]): Promise<Today> {
  const library = dailyLibrary(libraries, figures.today)
  const [daily, left] = await Promise.all([
    dailyWaiting(figures, library).catch(() => NO_DAILY),
    readLeft(figures).catch(() => null),
  ])
  return { figures, task: taskToday(figures, daily.apart), daily, pace: paceOfDay(figures), library, left }
}

async function readLeft(figures: Figures): Promise<Today['left']> {
  const dealt = await readToday(figures.today)
  if (!dealt) return null
  const waiting = new Set(await leftOf(dealt, figures))
  const all = dealt.review.length + dealt.daily.length + dealt.fresh.length
  if (waiting.size === 0 || waiting.size === all) return null
  const inPart = (nos: readonly string[]) => nos.filter((no) => waiting.has(no)).length
  return {
    minutes: dealt.minutes,
    task: { review: inPart(dealt.review), daily: inPart(dealt.daily), fresh: inPart(dealt.fresh) },
  }
}

/** Behind whatever the screen itself still fetches. */
const LATER_MS = 2_000
/** Whose task of which day is brought to this device by this page; without `done` it is there. */
let preparing: { whose: string; done?: Promise<void> } | null = null
const nothing = () => {}

/**
 * Has the questions of a day brought to this device, once a page: quietly, and not at all in 省流模式.
 * @param then told when they are here
 */
function prepareLater(client: QueryClient, day: number, then: () => void): () => void {
  const whose = `${offline.owner} ${day}`
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
