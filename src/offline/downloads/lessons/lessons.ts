import { call } from '#src/api/client.ts'
import { course, type CourseDetail, type LessonMedia, type PlayedMedia } from '#src/contract/course.ts'
import { type Opens, opensOffline } from '#src/domain/course/entitlement.ts'
import type { ChosenRendition } from '#src/domain/course/quality.ts'
import { session } from '#src/session/session.ts'
import { createBoard, type Downloads } from '../board.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { takeCourses } from './courseAnswers.ts'
import { type Database, isFull } from '#src/offline/device/idb.ts'
import { downloadLesson, type LessonParts } from './lessonDownload.ts'
import { createReach } from '../ranged.ts'
import { keepPictures, prunePictures } from './lessonQuestions.ts'
import { createPlayerFor, playerForAll } from './lessonPlayer.ts'
import { createRights } from './lessonRights.ts'
import { createLessonStore, type LessonStore } from './lessonStore.ts'
import {
  filesOf,
  isHashed,
  type LessonRow,
  type ListedLesson,
  openMedia,
  renditionFor,
  sizeOf,
  takenBy,
  type WantedLesson,
} from './media.ts'
import { MEDIA_DB } from '#src/offline/device/names.ts'
import { mayFetch, metered, pause } from '../network.ts'
import { packSettings } from '../downloadSettings.ts'
import { keepParts } from '#src/offline/device/keepLazyAssets.ts'
import { persist } from '#src/offline/device/persist.ts'
import { type MissingRoom, missingRoom, restoreMargin } from '#src/offline/device/room.ts'
import { goOnWithRoom } from '../roomAgain.ts'
import { createRuns, type RunParts } from '../runs.ts'
import { seenNow } from '#src/offline/device/highestTime.ts'
import { troubleOf } from '../downloadErrors.ts'

export type { ListedLesson, WantedLesson }
export type LessonsState = Downloads<ListedLesson>
/** A lesson that is whole on this device. */
export interface KeptLesson {
  media: LessonMedia
  rendition: ChosenRendition
  courseTitle: string
  title: string
  /** Whether its right is known well enough to play it (domain/course/entitlement.ts says the rest in words). */
  opens: Opens
  /** By its name in the media; null when it is none of it, the device has lost it, or the lesson does not open. */
  file: (name: string) => Promise<Blob | null>
}
export interface LessonsParts extends RunParts, Pick<LessonParts, 'media' | 'rendition' | 'fetch'> {
  db: Database
  owner: string
  /** A course as its page has it. */
  course: (no: string, signal?: AbortSignal) => Promise<CourseDetail>
  /** A lesson as who plays it is told of it: without hashes, which only a download needs. */
  playing: (lesson: string, signal: AbortSignal) => Promise<PlayedMedia>
  /** Brings these parts of the app, which play lessons and are not precached. */
  player: (names: readonly string[]) => Promise<void>
  missingRoom: MissingRoom
  /** True on mobile data, false on Wi-Fi, null where the browser does not say. */
  metered: () => boolean | null
  /** By the server's clock as far as it is known. */
  now: () => number
  /** The highest time that the device has seen. */
  seen: () => number
}

/** Nobody is asked twice about less. */
const LEAST_SPENT_BYTES = 2 * 1024 ** 2

/** Downloads of lessons: one after another over all tabs, each going on where it was, whatever ended it. */
export function createLessons(parts: LessonsParts) {
  const store = createLessonStore(parts.db, parts.owner)
  const board = createBoard({ channel: MEDIA_DB, list: store.list, noOf: ({ lesson }) => lesson })
  const rights = createRights(parts, store)
  const media = async (lesson: string, signal: AbortSignal): Promise<LessonMedia> => {
    const answer = await parts.media(lesson, signal)
    await rights.heard(answer)
    return answer
  }
  const allowed = (row: LessonRow): void => mayFetch(row, parts.metered)
  // One download is under way at a time, and all of this device's go through one line.
  let onLine = ''
  const reach = createReach((steady) => board.show(onLine, { at: steady ? 'running' : 'unsteady' }))
  const bringPlayer = createPlayerFor(parts)
  const runs = createRuns(parts, MEDIA_DB, board, async (no, onProgress, signal) => {
    onLine = no
    if (!reach.steady()) board.show(no, { at: 'unsteady' })
    await bringCourse(no, parts, store, signal)
    const attempt = { ...parts, media, store, mayFetch: allowed, onProgress, reach, bringPlayer }
    await downloadLesson(no, attempt, signal).catch(async (error: unknown) => {
      if (isFull(error)) await leaveRoom(no)
      throw error
    })
    await board.changed()
    board.swapped()
  })
  let closed = false

  /** Within the attempt, so that no other download takes what is freed. What fails here is told as the full device that it is. */
  async function leaveRoom(lesson: string): Promise<void> {
    await restoreMargin(parts.missingRoom, (bytes) => store.freeNewest(lesson, bytes)).catch(() => {})
    const rested = await store.rest(lesson).catch(() => [])
    for (const row of rested) if (row.lesson !== lesson) void runs.stop(row.lesson)
    await board.changed().catch(() => {})
    // It has given parts back since its last figure.
    board.show(lesson, { part: board.get().rows?.get(lesson)?.share ?? 0 })
  }

  /** Reads what is there and goes on with what was interrupted: when another tab is at it, after that. */
  async function resume(): Promise<void> {
    await board.refresh().catch(board.unread)
    const waiting = [...(board.get().rows?.values() ?? [])].filter(({ wanted, paused }) => wanted && !paused)
    for (const { lesson } of waiting.sort((a, b) => a.addedAt - b.addedAt)) if (!closed) void runs.run(lesson)
  }
  board.onOtherTab({ changed: resume, stop: runs.heardStop })

  const acts = createActs(parts, store, board, runs)
  return {
    subscribe: board.subscribe,
    get: board.get,
    /** Another version can be played from now on, or none. */
    onSwap: board.onSwap,
    metered: parts.metered,
    /** Goes on with what was interrupted, and has rights confirmed that were not for a while. */
    open: async (): Promise<void> => {
      await resume()
      await playerForAll(parts, store)
      await bringCourses(parts, store)
      await pruneOwn(store)
      if (await rights.renew()) await board.changed()
    },
    ...acts,
    /** How many lessons can be played here; and how many leave with this student, with what they take. */
    taken: async (): Promise<{ count: number; whole: number; bytes: number }> => {
      const rows = (await store.list()).filter(({ ready, share }) => ready || share > 0)
      const own = rows.filter(({ owner }) => owner === parts.owner)
      return { count: own.length, whole: rows.filter(({ ready }) => ready).length, bytes: takenBy(own) }
    },
    /** What plays what is here; without a network it is left for the next start. */
    bringPlayer: (): Promise<void> => playerForAll(parts, store),
    /** What the server has just said of a lesson: to whom it is open, and in which version. */
    heard: async (answer: PlayedMedia): Promise<void> => {
      await rights.heard(answer)
      await renewQuestions(answer, parts, store)
      await board.changed()
    },
    /** What the page of a lesson needs of its course, when it or another lesson of this course is downloaded. */
    courseOf: async (lesson: string, no: string): Promise<CourseDetail | null> =>
      store.course((await store.get(lesson))?.course ?? no),
    /** A course as the server has just answered with it: lessons of it that are kept learn whether another version is offered. */
    seenCourse: async (course: CourseDetail): Promise<void> => {
      if (await store.keepCourse(course)) await board.changed()
    },
    /** A lesson that is whole on this device; null: it is not. */
    kept: async (lesson: string): Promise<KeptLesson | null> => {
      let row = await store.get(lesson)
      // Where there is a network, once is enough: it opens on the spot.
      if (row?.ready && opensOffline(row, parts.seen()) !== 'open' && (await rights.ask(lesson)))
        row = await store.get(lesson)
      return row?.ready ? keptLesson(row, row.ready, parts, store, acts.mend) : null
    },
    close(): void {
      closed = true
      runs.abortAll()
      board.close()
    },
  }
}
export type Lessons = ReturnType<typeof createLessons>

type Board = ReturnType<typeof createBoard<ListedLesson>>
type Runs = ReturnType<typeof createRuns>

/** What a student can do; each resolves when it is on disk. */
function createActs(parts: LessonsParts, store: LessonStore, board: Board, runs: Runs) {
  const stop = (lessons: readonly string[]) => Promise.all(lessons.map(runs.stop))
  const run = (lessons: readonly string[]) => {
    for (const lesson of lessons) void runs.run(lesson)
  }
  return {
    /** Begins, updates, or goes on; one after another in this order. */
    start: async (list: readonly WantedLesson[], anyNetwork = false): Promise<void> => {
      const lessons = list.map(({ lesson }) => lesson)
      await stop(lessons)
      try {
        await store.want(list, anyNetwork, parts.seen())
        await board.changed()
      } catch (error) {
        for (const lesson of lessons) board.show(lesson, { part: 0, ...troubleOf(error) })
        return
      }
      void persist()
      run(lessons)
    },
    pause: async (lessons: readonly string[]): Promise<void> => {
      await store.patch(lessons, { paused: true, rested: false })
      await stop(lessons)
      await board.changed()
    },
    resume: async (lessons: readonly string[], anyNetwork = false): Promise<void> => {
      await stop(lessons)
      await store.patch(lessons, { paused: false, full: false, ...(anyNetwork && { anyNetwork }) })
      await board.changed()
      run(lessons)
    },
    /** A line that breaks may cost as much again: where data is paid for, it is asked about twice as often. */
    spend: async (lesson: string): Promise<void> => {
      await stop([lesson])
      const row = board.get().rows?.get(lesson)
      const more = row ? sizeOf({ ...row, ready: null }) * (parts.metered() === false ? 2 : 1) : 0
      const agreed = (await store.spent(lesson)) + Math.max(more, LEAST_SPENT_BYTES)
      await store.patch([lesson], { agreed, paused: false, full: false })
      await board.changed()
      run([lesson])
    },
    /** A complete version stays. */
    cancel: async (lessons: readonly string[]): Promise<void> => {
      await stop(lessons)
      await store.cancel(lessons)
      await pruneOwn(store)
      for (const lesson of lessons) board.show(lesson, null)
      await board.changed()
      void goOnWithRoom(parts.missingRoom)
    },
    /** Frees its space. What was watched and noted of it is in another database, and stays. */
    remove: async (lessons: readonly string[]): Promise<void> => {
      await stop(lessons)
      await store.remove(lessons)
      await pruneOwn(store)
      for (const lesson of lessons) board.show(lesson, null)
      await board.changed()
      board.swapped()
      void goOnWithRoom(parts.missingRoom)
    },
    /** The device has lost a part of it. */
    mend: async (lesson: string, rev: string): Promise<void> => {
      await store.mend(lesson, rev)
      await board.changed()
      run([lesson])
    },
  }
}

/** Questions may be corrected, taken off or added while a lesson's files stay as they are. */
async function renewQuestions(answer: PlayedMedia, parts: LessonsParts, store: LessonStore): Promise<void> {
  const ready = (await store.get(answer.lesson))?.ready
  if (!ready || JSON.stringify(ready.media.questions) === JSON.stringify(answer.questions)) return
  // Their pictures come first: without one, a question could not be answered here.
  await keepPictures(answer, parts, new AbortController().signal)
  await store.renewQuestions(answer)
}

/** Pictures take little, and are tried again at the next start. */
const pruneOwn = (store: LessonStore): Promise<void> =>
  store
    .all()
    .then(prunePictures)
    .catch(() => {})

/** A lesson whose page is not here is not here: its course comes before its files. */
async function bringCourse(
  lesson: string,
  parts: LessonsParts,
  store: LessonStore,
  signal: AbortSignal,
): Promise<void> {
  const row = await store.get(lesson)
  if (!row?.wanted || (await store.course(row.course))) return
  mayFetch(row, parts.metered)
  await store.keepCourse(await parts.course(row.course, signal))
}

/** Of lessons that were whole before courses were kept; without a network it is left for the next time. */
async function bringCourses(parts: LessonsParts, store: LessonStore): Promise<void> {
  const rows = await store.list().catch(() => [])
  const nos = new Set(rows.filter(({ ready }) => ready).map((row) => row.course))
  for (const no of nos)
    if (!(await store.course(no)))
      await parts.course(no).then(store.keepCourse, () => {
        // It comes the next time.
      })
}

function keptLesson(
  row: LessonRow,
  version: NonNullable<LessonRow['ready']>,
  parts: LessonsParts,
  store: LessonStore,
  mend: (lesson: string, rev: string) => Promise<void>,
): KeptLesson {
  const { media, rendition } = version
  const opens = () => opensOffline(row, parts.seen())
  return {
    media,
    rendition,
    courseTitle: row.courseTitle,
    title: row.title,
    opens: opens(),
    file: async (name) => {
      const file = filesOf(version).find((each) => each.name === name)
      if (!file || opens() !== 'open') return null
      const blob = await store.file(row.lesson, media.rev, file)
      if (!blob) await mend(row.lesson, media.rev)
      else if (name === rendition.main)
        await store.patch([row.lesson], { playedAt: parts.seen() }).catch(() => {
          // When it was played decides only which lesson leaves a full device first.
        })
      return blob
    },
  }
}

/** Whether an element of the kind plays a type; and whether script can feed one. */
const plays = (kind: 'video' | 'audio', type: string): boolean => document.createElement(kind).canPlayType(type) !== ''
const feeds = (): boolean => 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis

export const lessons = createLessons({
  db: openMedia(),
  owner: session.owner(),
  locks: typeof navigator !== 'undefined' && 'locks' in navigator ? navigator.locks : null,
  course: (no, signal) => call(course.detail, { no }, signal ? { signal } : {}),
  player: keepParts,
  media: async (no, signal) => {
    const media = await call(course.lesson, { no }, { signal })
    if (!isHashed(media)) throw new Error(`the server gave no hashes of ${no}`)
    return media
  },
  playing: (no, signal) => call(course.lesson, { no, hashes: false }, { signal }),
  rendition: (media, wish) =>
    renditionFor(media, (type) => plays(media.kind, type), feeds(), wish ?? packSettings.wish() ?? undefined),
  fetch: (src, init) => fetch(src, init),
  missingRoom,
  metered,
  pause,
  random: Math.random,
  now: serverNow,
  seen: seenNow,
})
takeCourses((each) => void lessons.seenCourse(each).catch(() => {}))
