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
  type Task,
  type TaskPart,
  taskOf,
} from '#src/domain/study/task.ts'
import { keepQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { offline } from '#src/offline/index.ts'
import type { Figures } from '#src/offline/record/figures.ts'
import type { Item } from '#src/player/playerState.ts'
import { dailyList, locatedOf, previewDaily } from '../daily.ts'
import { chooseAll, dealReviews } from '../lists/lists.ts'
import { questionsHere, questionsOf } from '../lists/listStudy.ts'
import { undoneOf } from '../practice/openBatch.ts'
import { dailyWaiting, paceOfDay } from './task.ts'

interface ToCompose {
  figures: Figures
  libraries: readonly Library[]
  /** It is cut to so many; null: all of the task. */
  minutes: number | null
  /** It is dealt now: what is missing is fetched, and what was chosen is kept. Else it is only counted. */
  deals: boolean
}
export interface ComposedDay {
  library: Library | undefined
  review: string[]
  /** Reviews that were chosen and are not on this device. */
  missing: string[]
  /** Questions of 每日一练 that wait, those among the reviews included. */
  dailyAll: number
  daily: string[]
  fresh: string[]
  /** So many of each part fit into the minutes; of new questions, so many were asked for. */
  task: Task
  /** The task was done already: its new questions come beyond it. */
  more: boolean
}

/**
 * Chooses the questions that are left of a day. The home page counts by it and the sitting is dealt by it, so that what a student
 * is promised is what they get: reading groups come whole, and what is not on this device is left out.
 */
export async function composeToday(client: QueryClient, parts: ToCompose, picking: Picking): Promise<ComposedDay> {
  const { figures, libraries, minutes, deals } = parts
  const library = dailyLibrary(libraries, figures.today)
  const { review, missing } = await composeReviews(client, parts, picking)
  const picked = library ? await pickDaily(client, library, parts, picking) : []
  // A due question is asked as a review, and counts for 每日一练 as well.
  const daily = picked.filter((no) => !review.includes(no))
  const whole = taskOf({
    review: review.length,
    daily: daily.length,
    goal: figures.settings.dayGoal,
    answered: figures.days.get(figures.today)?.answered ?? 0,
  })
  const more = countOf(whole) === 0
  const task = fitting(more ? { ...whole, fresh: MORE_COUNT } : whole, minutes, paceOfDay(figures))
  const common = { library, review, missing, dailyAll: picked.length, daily, task, more }
  if (task.fresh === 0 || (more && !deals)) return { ...common, fresh: [] }
  const { found, lost } = await findFresh(client, libraries, task.fresh, new Set([...review, ...daily]))
  if (lost && found.length < task.fresh) picking.lose(lost, 'fresh')
  if (deals) await keepQuestions(offline.owner, found.map(locatedOf))
  return { ...common, fresh: numbersOf(found) }
}

async function composeReviews(
  client: QueryClient,
  { figures, deals }: ToCompose,
  picking: Picking,
): Promise<Pick<ComposedDay, 'review' | 'missing'>> {
  if ((figures.plan[0]?.planned ?? 0) === 0) return { review: [], missing: [] }
  const chosen = await picking.have(() => (deals ? dealReviews(client) : chooseAll(client)), 'review')
  const here = await (deals ? questionsOf : questionsHere)(chosen)
  const missing = chosen.filter((no) => !here.has(no))
  if (missing.length > 0) picking.away.push('review')
  return { review: chosen.filter((no) => here.has(no)), missing }
}

async function pickDaily(
  client: QueryClient,
  library: Library,
  { figures, deals }: ToCompose,
  picking: Picking,
): Promise<string[]> {
  if ((await dailyWaiting(figures, library)).all === 0) return []
  const daily = { libraryNo: library.no, day: figures.today, size: DAILY_COUNT }
  return picking.have(() => (deals ? dailyList(client, daily).pick() : previewDaily(client, daily)), 'daily')
}

/** A part that cannot be had leaves the others as they are. */
export function createPicking() {
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

export type Picking = ReturnType<typeof createPicking>

interface Fresh {
  found: Item[]
  /** Says why there may be fewer than were asked for. */
  lost: Error | null
}

const numbersOf = (items: readonly Item[]): string[] => items.map(({ part }) => part.no)

/** Picks new questions, and keeps them on this device. */
export async function pickFresh(
  ...asked: Parameters<typeof findFresh>
): Promise<{ nos: string[]; lost: Error | null }> {
  const { found, lost } = await findFresh(...asked)
  await keepQuestions(offline.owner, found.map(locatedOf))
  return { nos: numbersOf(found), lost }
}

/** Finds undone questions of the chapter that was studied last, then of each library of the direction in its order. */
async function findFresh(
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
  return { found, lost }
}

function placesOf(libraries: readonly Library[]): string[] {
  const last = deviceMemory.get(OWNER_KEYS.lastChapter(offline.owner))?.split('/')[0] ?? ''
  const isHere = ({ no, chapters }: Library) => no === last || chapters.some((chapter) => chapter.no === last)
  // The chapter that was studied last may be of another direction; without the list nobody can tell.
  const first = last !== '' && (libraries.length === 0 || libraries.some(isHere)) ? [last] : []
  return [...first, ...libraries.map(({ no }) => no)]
}
