import type { QueryClient } from '@tanstack/react-query'
import { isCallError } from '#src/api/errors.ts'
import type { Library } from '#src/contract/question.ts'
import { OWNER_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import {
  countOf,
  DAILY_COUNT,
  dailyLibrary,
  fitting,
  MORE_COUNT,
  TASK_PARTS,
  type TaskPart,
  taskOf,
} from '#src/domain/study/task.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { keepQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { todayBatch, type TodayDealt, todayDealt } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import { readFigures } from '#src/offline/record/figures.ts'
import type { Item } from '#src/player/playerState.ts'
import { dailyList, locatedOf } from '../daily.ts'
import { errorList } from '../lists/lists.ts'
import type { StudyList } from '../lists/listStudy.ts'
import type { BatchPart } from '../practice/batchPart.ts'
import { undoneOf } from '../practice/openBatch.ts'
import { libraryListQuery } from '../queries.ts'
import { dailyWaiting, leftOf, PART_NAMES, paceOfDay, readToday } from './task.ts'

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
  const { today } = figures
  const library = dailyLibrary(libraries, today)
  const waiting = await dailyWaiting(figures, library)
  const review = (figures.plan[0]?.planned ?? 0) > 0 ? await picking.have(() => reviewsOf(client).pick(), 'review') : []
  const dailyOf = ({ no }: Library) => dailyList(client, { libraryNo: no, day: today, size: DAILY_COUNT })
  const picked = library && waiting.all > 0 ? await picking.have(() => dailyOf(library).pick(), 'daily') : []
  // A due question is asked as a review, and counts for 每日一练 as well.
  const daily = picked.filter((no) => !review.includes(no))
  const whole = taskOf({
    review: review.length,
    daily: daily.length,
    goal: figures.settings.dayGoal,
    answered: figures.days.get(today)?.answered ?? 0,
  })
  const more = countOf(whole) === 0
  const task = fitting(more ? { ...whole, fresh: MORE_COUNT } : whole, minutes, paceOfDay(figures))
  const taken = new Set([...review, ...daily])
  const fresh = task.fresh > 0 ? await pickFresh(client, libraries, task.fresh, taken) : NOTHING_NEW
  if (fresh.lost && fresh.nos.length < task.fresh) picking.lose(fresh.lost, 'fresh')
  const dealt: TodayDealt = {
    day: today,
    minutes,
    more,
    finishes: library && daily.length > 0 && task.daily === daily.length ? library.no : null,
    review: review.slice(0, task.review),
    daily: daily.slice(0, task.daily),
    fresh: fresh.nos,
    away: picking.away,
  }
  const nos = TASK_PARTS.flatMap((part) => dealt[part])
  const lost = picking.lost()
  if (nos.length === 0 && lost) throw lost
  await offline.saveDraft({ key: todayDealt.key(), value: dealt })
  return nos
}

/** A part that cannot be had leaves the others as they are. */
function createPicking() {
  const away: TaskPart[] = []
  let lost: Error | null = null
  const lose = (error: Error, part: TaskPart) => {
    away.push(part)
    lost = error
  }
  const have = async <T>(from: () => Promise<T[]>, part: TaskPart): Promise<T[]> => {
    try {
      return await from()
    } catch (error) {
      if (!isCallError(error)) throw error
      lose(error, part)
      return []
    }
  }
  return { away, have, lose, lost: () => lost }
}

interface Fresh {
  nos: string[]
  /** Why there may be fewer than were asked for. */
  lost: Error | null
}
const NOTHING_NEW: Fresh = { nos: [], lost: null }

/** Picks undone questions of the chapter that was studied last, then of each library of the direction in its order. */
export async function pickFresh(
  client: QueryClient,
  libraries: readonly Library[],
  count: number,
  taken: ReadonlySet<string>,
): Promise<Fresh> {
  const found: Item[] = []
  let lost: Error | null = null
  const isTaken = (no: string) => taken.has(no) || found.some(({ part }) => part.no === no)
  for (const no of placesOf(libraries)) {
    if (found.length >= count) break
    try {
      const { items, missing } = await undoneOf(client, no, count - found.length, isTaken)
      found.push(...items)
      lost ??= missing
    } catch (error) {
      if (!isCallError(error)) throw error
      lost ??= error
    }
  }
  await keepQuestions(offline.owner, found.map(locatedOf))
  return { nos: found.map(({ part }) => part.no), lost }
}

function placesOf(libraries: readonly Library[]): string[] {
  const last = deviceMemory.get(OWNER_KEYS.lastChapter(offline.owner))?.split('/')[0] ?? ''
  const isHere = ({ no, chapters }: Library) => no === last || chapters.some((chapter) => chapter.no === last)
  // The chapter that was studied last may be of another direction; without the list nobody can tell.
  const first = last !== '' && (libraries.length === 0 || libraries.some(isHere)) ? [last] : []
  return [...first, ...libraries.map(({ no }) => no)]
}
