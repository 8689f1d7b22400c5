import { collectionBatch, errorBatch, noteBatch } from '#src/offline/drafts/practice.ts'
import type { QueryClient } from '@tanstack/react-query'
import { libraryListQuery } from '#src/api/libraries.ts'
import type { StudyState } from '#src/contract/study.ts'
import { chaptersWithin } from '#src/domain/question/chapters.ts'
import { dayOf } from '#src/domain/time/day.ts'
import {
  type BookGroup,
  type BookPart,
  countIn,
  countPhases,
  ERROR_RULE,
  isGroup,
  isIn,
  PHASES,
} from '#src/domain/study/errorBook.ts'
import { NOTHING_DEALT, reviewsToday, roomOf } from '#src/domain/study/plan.ts'
import { dueDay } from '#src/domain/study/review.ts'
import { type ChoiceParts, chooseReviews, inTurns } from '#src/domain/study/reviewChoice.ts'
import { spansOfDue } from '#src/domain/study/stats.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { readFigures } from '#src/offline/record/figures.ts'
import { type Counters, offline } from '#src/offline/index.ts'
import { dealtOn, keepDealt, lapsesOn } from '#src/offline/record/reviews.ts'
import { errorRule } from '#src/player/marks/bookActs.ts'
import { DEFAULT_FOLDER, foldersOf, readFolders } from '#src/player/marks/writeMarks.ts'
import { session } from '#src/session/session.ts'
import type { StudyList } from './listStudy.ts'

export const BOOK_GROUPS = [
  'chapter',
  'point',
  'type',
  'times',
  'from',
  'month',
  'cause',
] as const satisfies BookGroup[]

const KNOWN: readonly BookGroup[] = [...BOOK_GROUPS, 'library']

/** What an address says after its `?` of a part of the error book; what it says wrongly is not asked for. */
export function partIn(search: object): BookPart {
  const { phase, by, is }: { phase?: unknown; by?: unknown; is?: unknown } = search
  const group = KNOWN.find((each) => each === by)
  return {
    phase: PHASES.find((each) => each === phase),
    // A value made of digits comes as a number.
    by: group,
    is: group && (typeof is === 'string' || typeof is === 'number') ? String(is) : undefined,
  }
}

/** Reads the sums in which `chaptersWith` counts a part. */
export const countersFor = ({ by }: BookPart): Promise<Counters[]> =>
  offline.allCounters(isGroup(by) ? 'groups' : undefined)

/** How many questions of a part there are in each chapter that has some, in the order of the rows. */
export const chaptersWith = (rows: readonly Counters[], part: BookPart, rule: number): Map<string, number> =>
  new Map(
    rows.flatMap((row) => {
      const count = countIn([row], part, rule)
      return count > 0 ? [[row.chapterNo, count] as const] : []
    }),
  )

/** Questions of a part in one chapter, the newest misses first. */
export async function readPart(chapterNo: string, part: BookPart, rule: number): Promise<StudyState[]> {
  const states = await offline.shelf('book', { from: chapterNo, to: chapterNo })
  return states.filter((state) => isIn(state, part, rule)).sort(newestFirst)
}
const newestFirst = (a: StudyState, b: StudyState): number => (b.book?.since ?? 0) - (a.book?.since ?? 0)

interface ReviewRoom extends Omit<ChoiceParts, 'today'> {
  /** The last day on which they fall due. */
  until: number
  /** Questions by the day on which they fall due. */
  due: ReadonlyMap<number, number>
  /** These come back today though they were never wrong: the time that each takes, ms, by number. */
  lapses: ReadonlyMap<string, number>
}

async function reviewRoom(): Promise<ReviewRoom> {
  const { plan, settings, room, due, all, lapses, model } = await readFigures(offline, serverNow())
  const { examDay } = settings
  const { count, until } = reviewsToday(plan, examDay)
  const common = { until, due, lapses, examDay, model, practice: all, ahead: plan[0]?.ahead ?? 0 }
  // Who comes back for more when the day's are done gets more.
  return count > 0 ? { ...common, ...room } : { ...common, ...roomOf(settings, all, NOTHING_DEALT) }
}

/** Of those that were dealt today: a new day is planned anew, and asks again what was answered then. */
async function stillDue(nos: readonly string[]): Promise<Set<string>> {
  const dealt = new Set((await dealtOn(offline, dayOf(serverNow()))).nos)
  const [{ until, lapses }, states] = await Promise.all([
    reviewRoom(),
    offline.states(nos.filter((no) => dealt.has(no))),
  ])
  const isStill = (state: StudyState) => (dueDay(state) ?? Infinity) <= until || lapses.has(state.questionNo)
  return new Set([...states.values()].filter(isStill).map(numberOf))
}
const numberOf = ({ questionNo }: StudyState): string => questionNo

/** They are chosen from this many that fell due first: a student who has more was away for long. */
const LOOKED_AT = 2_000
/** Rows are read this many at a time: 2,000 in one go hold up a slow phone for half a second. */
const READ_AT_ONCE = 200

/** Reads questions that are due, those that fell due first coming first. */
async function readDue({ due, until }: ReviewRoom, isHere: IsHere): Promise<StudyState[]> {
  const found: StudyState[] = []
  for (const span of spansOfDue(due, until, READ_AT_ONCE)) {
    found.push(...(await offline.shelf('due', span)).filter(isHere))
    if (found.length >= LOOKED_AT) break
  }
  return found
}

/** Chooses the reviews of a day, and tells how long each is expected to take, ms, by number. */
async function choose(client: QueryClient, no: string): Promise<{ nos: string[]; ms: Map<string, number> }> {
  const [room, isHere] = await Promise.all([reviewRoom(), standsIn(client, no)])
  const { reviews, ms } = chooseReviews(await readDue(room, isHere), { ...room, today: dayOf(serverNow()) })
  const lapsed = [...(await offline.states([...room.lapses.keys()])).values()].filter(isHere)
  for (const { questionNo } of lapsed) ms.set(questionNo, room.lapses.get(questionNo) ?? 0)
  return { nos: inTurns([...reviews, ...lapsed]).map(numberOf), ms }
}

async function pickReviews(client: QueryClient, no: string): Promise<string[]> {
  const { nos, ms } = await choose(client, no)
  await keepDealt(offline, dayOf(serverNow()), ms).catch(() => {})
  return nos
}

/** Deals the reviews of the day, of all libraries. */
export const dealReviews = (client: QueryClient): Promise<string[]> => pickReviews(client, 'all')

/** Returns the reviews that would be dealt now, without dealing them. */
export const chooseAll = async (client: QueryClient): Promise<string[]> => (await choose(client, 'all')).nos

/** What was not answered today first, then the newest misses: another batch brings others. */
async function pickErrors(client: QueryClient, no: string, part: BookPart): Promise<string[]> {
  const [rule, rows, isHere] = await Promise.all([errorRule(), countersFor(part), standsIn(client, no)])
  const size = session.get().chapterCount
  const today = dayOf(serverNow())
  const chapters = chaptersWith(rows.filter(isHere), part, rule)
  if (isQuickerByAge(rows, chapters, size)) {
    const where = (state: StudyState) => isHere(state) && isIn(state, part, rule) && dayOf(state.lastAt) !== today
    const newest = await offline.shelf('missed', { backwards: true, limit: size, where })
    if (newest.length === size) return newest.map(numberOf)
  }
  const states = await Promise.all([...chapters.keys()].map((chapterNo) => readPart(chapterNo, part, rule)))
  const seen = (state: StudyState) => (dayOf(state.lastAt) === today ? state.lastAt : 0)
  return states
    .flat()
    .sort((a, b) => seen(a) - seen(b) || newestFirst(a, b))
    .slice(0, size)
    .map(numberOf)
}

/** Whether less is read on the way through the whole book to so many of a part than in the chapters that have some of it. */
function isQuickerByAge(rows: readonly Counters[], chapters: ReadonlyMap<string, number>, size: number): boolean {
  const wanted = [...chapters.values()].reduce((sum, count) => sum + count, 0)
  const there = rows.filter(({ chapterNo }) => chapters.has(chapterNo))
  return size * bookOf(rows) < wanted * bookOf(there)
}
const bookOf = (rows: readonly Counters[]): number =>
  Object.values(countPhases(rows, ERROR_RULE)).reduce((sum, count) => sum + count, 0)

type IsHere = (place: Pick<StudyState, 'chapterNo' | 'libraryNo'>) => boolean

/** Whether something stands in a chapter at any level, in a library, or anywhere (`all`). */
async function standsIn(client: QueryClient, no: string): Promise<IsHere> {
  if (no === 'all') return () => true
  // Records name leaf chapters alone; without the list nobody knows what is below others.
  const libraries = await client.ensureQueryData(libraryListQuery()).catch(() => [])
  const within = chaptersWithin(
    no,
    libraries.flatMap(({ chapters }) => chapters),
  )
  return ({ chapterNo, libraryNo }) => libraryNo === no || (chapterNo !== null && within.has(chapterNo))
}

interface ErrorStudy {
  /** A chapter at any level, a library, or `all`. */
  no: string
  mode: 'answer' | 'recite'
  /** 巩固, the spaced review: what is due, by what it adds on exam day, only so many a day and none twice on a day. */
  consolidate: boolean
  part: BookPart
}

/** 错题练习 of a part of the error book. */
export const errorList = (client: QueryClient, { no, mode, consolidate, part }: ErrorStudy): StudyList => ({
  draft: errorBatch.key(no, consolidate ? 1 : 0, mode, part.phase, part.by, part.is),
  from: 'error',
  recite: mode === 'recite',
  ordered: consolidate,
  ...(consolidate && { lapses: () => lapsesOn(offline, dayOf(serverNow())).then((found) => new Set(found.keys())) }),
  pick: () => (consolidate ? pickReviews(client, no) : pickErrors(client, no, part)),
  still: async (nos) => {
    if (consolidate) return stillDue(nos)
    const [rule, states] = await Promise.all([errorRule(), offline.states(nos)])
    return new Set([...states.values()].filter((state) => isIn(state, part, rule)).map(numberOf))
  },
})

/** In a path, where '' cannot be. */
const DEFAULT_IN_PATH = 'default'
export const folderInPath = (no: string): string => no || DEFAULT_IN_PATH
const COLLECTED = 'collected'
const NOTED = 'noted'

/** 收藏练习 of a chapter, a library, a folder or `all`. */
export const collectList = (client: QueryClient, no: string, startAt?: string): StudyList => ({
  draft: collectionBatch.key(no),
  from: 'collect',
  startAt,
  pick: async (first) => {
    const folders = await readFolders().catch(() => new Map<string, string>())
    const folder = no === DEFAULT_IN_PATH ? DEFAULT_FOLDER : no
    return batchOf(await marked(client, COLLECTED, no, (state) => foldersOf(state, folders).includes(folder)), first)
  },
})

/** 笔记练习 of a chapter, a library or `all`. */
export const noteList = (client: QueryClient, no: string, startAt?: string): StudyList => ({
  draft: noteBatch.key(no),
  from: 'note',
  startAt,
  pick: async (first) => batchOf(await marked(client, NOTED, no), first),
})

async function marked(
  client: QueryClient,
  shelf: typeof COLLECTED | typeof NOTED,
  no: string,
  orElse: (state: StudyState) => boolean = () => false,
): Promise<StudyState[]> {
  const [states, isHere] = await Promise.all([offline.shelf(shelf, { backwards: true }), standsIn(client, no)])
  return states.filter((state) => isHere(state) || orElse(state))
}

/** So many as make a batch: those around the one to begin at, as the list shows them; else those not answered the longest. */
function batchOf(states: readonly StudyState[], startAt: string | undefined): string[] {
  const size = session.get().chapterCount
  const at = states.findIndex(({ questionNo }) => questionNo === startAt)
  const from = at - (at % size)
  const batch =
    at === -1 ? [...states].sort((a, b) => a.lastAt - b.lastAt).slice(0, size) : states.slice(from, from + size)
  return batch.map(({ questionNo }) => questionNo)
}
