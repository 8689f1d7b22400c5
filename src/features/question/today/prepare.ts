import type { QueryClient } from '@tanstack/react-query'
import { DAILY_COUNT, dailyLibrary, MORE_COUNT } from '#src/domain/study/task.ts'
import { MEDIA_ADDRESSES } from '#src/domain/text/html.ts'
import { keptQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { offline } from '#src/offline/index.ts'
import { readFigures } from '#src/offline/record/figures.ts'
import { dailyList } from '../daily.ts'
import { questionsOf } from '../lists/listStudy.ts'
import { libraryListQuery } from '../queries.ts'
import { apartFromReviews, dailyWaiting, taskToday } from './task.ts'
import { pickFresh } from './compose.ts'

/** Reviews that are brought for a day; most are here already, as they were missed here. */
const REVIEWS = 100

/**
 * Brings the questions of today's task to this device, so that it can be done without a network from the first visit on. Each call
 * may fail by itself: what cannot be had now comes at the next visit, or when it is studied.
 */
export async function prepareToday(client: QueryClient): Promise<void> {
  const libraries = await client.ensureQueryData(libraryListQuery())
  const figures = await readFigures(offline, serverNow())
  const { today } = figures
  const library = dailyLibrary(libraries, today)
  const daily =
    library && (await dailyWaiting(figures, library)).all > 0
      ? await dailyList(client, { libraryNo: library.no, day: today, size: DAILY_COUNT })
          .pick()
          .catch(() => [])
      : []
  const due = figures.due.size > 0 ? await offline.shelfNumbers('due', today) : []
  await questionsOf(due.slice(0, REVIEWS)).catch(() => {})
  const { fresh } = taskToday(figures, (await apartFromReviews(figures, daily)).length)
  const { nos: next, lost } = await pickFresh(client, libraries, Math.max(MORE_COUNT, fresh), new Set(daily))
  // They come when the worker is there, which nobody waits for.
  void bringMedia([...daily, ...next]).catch(() => {})
  if (next.length === 0 && lost) throw lost
}

/** Asks for pictures and recordings of questions once, so that the worker keeps them. */
async function bringMedia(nos: readonly string[]): Promise<void> {
  const { serviceWorker } = navigator
  if (!serviceWorker) return
  const kept = await keptQuestions(offline.owner, nos)
  const addresses = new Set(JSON.stringify([...kept.values()]).match(MEDIA_ADDRESSES))
  await serviceWorker.ready
  if (!serviceWorker.controller)
    await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  for (const address of addresses) await fetch(address, { cache: 'force-cache' })
}
