import type { QueryClient } from '@tanstack/react-query'
import { DAILY_COUNT, dailyLibrary, TASK_PARTS } from '#src/domain/study/task.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { todayBatch, type TodayDealt, todayDealt } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import { readFigures } from '#src/offline/record/figures.ts'
import { dailyList } from '../daily.ts'
import { errorList } from '../lists/lists.ts'
import type { StudyList } from '../lists/listStudy.ts'
import type { BatchPart } from '../practice/batchPart.ts'
import { libraryListQuery } from '../queries.ts'
import { composeToday, createPicking } from './compose.ts'
import { leftOf, PART_NAMES, readToday } from './task.ts'

const reviewsOf = (client: QueryClient): StudyList =>
  errorList(client, { no: 'all', mode: 'answer', consolidate: true, part: {} })

/** 今日任务 in one sitting: reviews, 每日一练, new questions up to the goal. @param minutes that it is cut to; null: all of it */
export const todayList = (client: QueryClient, minutes: number | null): StudyList => ({
  draft: todayBatch.key(),
  from: 'library',
  ordered: true,
  practised: true,
  lapses: () => reviewsOf(client).lapses?.() ?? Promise.resolve(new Set()),
  pick: () => pickToday(client, minutes),
  parts: () => readParts(client),
  still: async () => {
    const figures = await readFigures(offline, serverNow())
    const dealt = await readToday(figures.today)
    return new Set(dealt?.minutes === minutes ? await leftOf(dealt, figures) : [])
  },
})

async function readParts(client: QueryClient): Promise<BatchPart[]> {
  const dealt = await readToday(dayOf(serverNow()))
  if (!dealt) return []
  const { day, finishes, away } = dealt
  const library = dailyLibrary(client.getQueryData(libraryListQuery().queryKey) ?? [], day)
  const { onDone } = finishes === null ? {} : dailyList(client, { libraryNo: finishes, day, size: DAILY_COUNT })
  return TASK_PARTS.map((part) => ({
    name: PART_NAMES[part],
    nos: new Set(dealt[part]),
    about: part === 'daily' && library ? `今天轮到“${library.title}”，每天换一科` : undefined,
    from: part === 'review' ? 'error' : 'library',
    away: away.includes(part),
    onDone: part === 'daily' ? onDone : undefined,
  }))
}

/** Deals what is left of the day, as far as it fits; what is not on this device is left out, and noted. */
async function pickToday(client: QueryClient, minutes: number | null): Promise<string[]> {
  const picking = createPicking()
  const [figures, libraries] = await Promise.all([
    readFigures(offline, serverNow()),
    picking.have(() => client.ensureQueryData(libraryListQuery()), 'daily'),
  ])
  const day = await composeToday(client, { figures, libraries, minutes, deals: true }, picking)
  const { library, review, daily, fresh, task, more } = day
  const dealt: TodayDealt = {
    day: figures.today,
    minutes,
    more,
    finishes: library && daily.length > 0 && task.daily === daily.length ? library.no : null,
    review: review.slice(0, task.review),
    daily: daily.slice(0, task.daily),
    fresh,
    away: picking.away,
  }
  const nos = TASK_PARTS.flatMap((part) => dealt[part])
  const lost = picking.lost()
  if (nos.length === 0 && lost) throw lost
  await offline.saveDraft({ key: todayDealt.key(), value: dealt })
  // Nothing but reviews that are not here: the page that follows says so.
  return nos.length > 0 ? nos : day.missing
}
