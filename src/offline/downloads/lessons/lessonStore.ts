import type { CourseDetail, MediaFile, PlayedMedia } from '#src/contract/course.ts'
import { sameWish } from '#src/domain/course/quality.ts'
import { type Database, done, StorageError } from '#src/offline/device/idb.ts'
import { courseOf, pruneCourses, putCourse } from './lessonCourses.ts'
import { dropNewest, restAll } from './lessonFree.ts'
import { afterCourse, afterLesson } from './lessonOffers.ts'
import { dropPieces, dropSpent, putPiece, putSpent, readPieces, spentOn } from './lessonPieces.ts'
import {
  type Begun,
  drop,
  isShown,
  missingOf,
  ownersFor,
  type Part,
  prune,
  putRow,
  rowsOf,
  shareOf,
  STORES,
  under,
  type WholePart,
} from './lessonRows.ts'
import { keptWish, type LessonRow, type ListedLesson, type LessonVersion } from './media.ts'
import type { PartRow, PieceRow, WantedLesson } from './media.ts'
import { GoneError } from '../downloadErrors.ts'

/** Lessons of one student as they are written. Each method is one transaction; none of them touches what a student did. */
export function createLessonStore(db: Database, owner: string) {
  const write = <T>(body: (tx: IDBTransaction) => Promise<T>): Promise<T> => db.run(STORES, 'readwrite', body)
  const read = <T>(body: (tx: IDBTransaction) => Promise<T>): Promise<T> => db.run(STORES, 'readonly', body)
  const rowOf = async (tx: IDBTransaction, lesson: string): Promise<LessonRow | undefined> => {
    const rows = await Promise.all(
      ownersFor(owner).map((each) => done<LessonRow | undefined>(tx.objectStore('lessons').get([each, lesson]))),
    )
    return rows.find((row) => row && isShown(row, owner))
  }
  const change = (lessons: readonly string[], to: (row: LessonRow) => LessonRow): Promise<void> =>
    write(async (tx) => {
      const rows = await Promise.all(lessons.map((lesson) => rowOf(tx, lesson)))
      await Promise.all(rows.flatMap((row) => (row ? [putRow(tx, to(row))] : [])))
    })
  return {
    ...reading(read, rowOf, owner),
    ...fetching(write, rowOf),
    /** Puts down what is to be fetched, behind what is to be fetched already. */
    want: (list: readonly WantedLesson[], anyNetwork: boolean, at: number): Promise<void> =>
      write(async (tx) => {
        const rows = await Promise.all(list.map(({ lesson }) => rowOf(tx, lesson)))
        for (const [i, each] of list.entries()) {
          const row = wantedRow(owner, each, rows[i], anyNetwork, at + i)
          await putRow(tx, row)
          // What another quality has cost is not this one's.
          if (!row.next) await dropSpent(tx, row.owner, row.lesson)
        }
      }),
    patch: (lessons: readonly string[], patch: Partial<LessonRow>): Promise<void> =>
      change(lessons, (row) => ({ ...row, ...patch })),
    /** What the server has just said of these lessons' rights. */
    confirm: (lessons: readonly string[], rightUntil: number | null, at: number): Promise<void> =>
      change(lessons, (row) => ({ ...row, rightUntil, confirmedAt: at })),
    /** Which version of a lesson the server has just said it has. */
    offer: (media: PlayedMedia): Promise<void> => change([media.lesson], (row) => afterLesson(row, media)),
    /** Ends downloads: complete versions stay. */
    cancel: (lessons: readonly string[]): Promise<void> =>
      write(async (tx) => {
        for (const lesson of lessons) {
          const row = await rowOf(tx, lesson)
          if (!row) continue
          const rest: LessonRow = { ...row, wish: keptWish(row), next: null, wanted: false, paused: false, full: false }
          if (row.ready) await putRow(tx, rest)
          else await done(tx.objectStore('lessons').delete([row.owner, lesson]))
          await prune(tx, rest)
        }
        for (const each of ownersFor(owner)) await pruneCourses(tx, each, await rowsOf(tx, each))
      }),
    remove: (lessons: readonly string[]): Promise<void> =>
      write(async (tx) => {
        for (const lesson of lessons)
          for (let row = await rowOf(tx, lesson); row; row = await rowOf(tx, lesson)) await drop(tx, row)
      }),
    /** What a complete version asks by now, as long as its files are the same. */
    renewQuestions: ({ lesson, rev, questions }: PlayedMedia): Promise<void> =>
      change([lesson], (row) =>
        row.ready?.media.rev === rev
          ? { ...row, ready: { ...row.ready, media: { ...row.ready.media, ...(questions && { questions }) } } }
          : row,
      ),
    /** A course as the server has answered with it. True when it offers other versions of kept lessons than were known. */
    keepCourse: (course: CourseDetail): Promise<boolean> =>
      write(async (tx) => {
        const lessons = new Map(course.units.flatMap((unit) => unit.lessons.map((each) => [each.no, each])))
        let isNews = false
        for (const each of ownersFor(owner)) {
          const rows = await rowsOf(tx, each)
          await putCourse(tx, each, course, rows)
          for (const row of rows) {
            const lesson = lessons.get(row.lesson)
            const after = lesson ? afterCourse(row, lesson) : row
            if (after === row) continue
            await putRow(tx, after)
            isNews = true
          }
        }
        return isNews
      }),
  }
}
export type LessonStore = ReturnType<typeof createLessonStore>

type Run = <T>(body: (tx: IDBTransaction) => Promise<T>) => Promise<T>
type RowOf = (tx: IDBTransaction, lesson: string) => Promise<LessonRow | undefined>

const reading = (read: Run, rowOf: RowOf, owner: string) => ({
  list: (): Promise<ListedLesson[]> =>
    read(async (tx) => {
      const all = (await Promise.all(ownersFor(owner).map((each) => rowsOf(tx, each)))).flat()
      const own = new Set(all.flatMap((row) => (row.owner === owner ? row.lesson : [])))
      const rows = all.filter((row) => row.owner === owner || (isShown(row, owner) && !own.has(row.lesson)))
      return Promise.all(rows.map(async (row) => ({ ...row, share: await shareOf(tx, row) })))
    }),
  get: (lesson: string): Promise<LessonRow | undefined> => read((tx) => rowOf(tx, lesson)),
  /** Those of every student of this device. */
  all: (): Promise<LessonRow[]> => read((tx) => rowsOf(tx)),
  course: (no: string): Promise<CourseDetail | null> =>
    read(async (tx) => {
      const found = await Promise.all(ownersFor(owner).map((each) => courseOf(tx, each, no)))
      return found.find((course) => course !== null) ?? null
    }),
  /** Parts of the version under way that are not on this device. */
  missing: (lesson: string): Promise<Part[]> =>
    read(async (tx) => {
      const row = await rowOf(tx, lesson)
      return row?.next ? missingOf(tx, row, row.next) : []
    }),
  /** All that an attempt at the version under way begins with. */
  begun: (lesson: string): Promise<Begun> =>
    read(async (tx) => {
      const row = await rowOf(tx, lesson)
      if (!row?.next) return { missing: [], pieces: [], spent: 0 }
      const missing = await missingOf(tx, row, row.next)
      const pieces = await readPieces(tx, row.owner, lesson, row.next.media.rev)
      return { missing, pieces, spent: await spentOn(tx, row) }
    }),
  /** What the download has cost so far, in bytes on the wire. */
  spent: (lesson: string): Promise<number> =>
    read(async (tx) => {
      const row = await rowOf(tx, lesson)
      return row ? spentOn(tx, row) : 0
    }),
  /**
   * A file of the complete version; null when the device has lost any of it. By primary key: read through an index, iOS 18.4
   * gave Blobs whose files were gone. The parts are put side by side, not copied.
   */
  file: (lesson: string, rev: string, { name, type, bytes }: MediaFile): Promise<Blob | null> =>
    read(async (tx) => {
      const of = (await rowOf(tx, lesson))?.owner ?? owner
      const parts = await done<PartRow[]>(tx.objectStore('parts').getAll(under(of, lesson, rev, name)))
      const blob = new Blob(
        parts.map(({ data }) => data),
        { type },
      )
      return blob.size === bytes ? blob : null
    }),
})

const fetching = (write: Run, rowOf: RowOf) => ({
  /** The version to fetch, or the same under a new address; a complete one stays beside it until the swap. */
  begin: (lesson: string, next: LessonVersion): Promise<void> =>
    write(async (tx) => {
      const row = await rowOf(tx, lesson)
      if (!row?.wanted) throw new GoneError()
      const begun: LessonRow = { ...row, next }
      await putRow(tx, begun)
      await prune(tx, begun)
    }),
  /**
   * Whole parts, in the place of their pieces.
   * @throws GoneError when nobody wants them any more: they would stay for ever.
   */
  keep: async (lesson: string, rev: string, parts: readonly WholePart[], spent: number): Promise<void> => {
    const put = (as: (bytes: Uint8Array<ArrayBuffer>) => Blob | ArrayBuffer) =>
      write(async (tx) => {
        const row = await wantedIn(tx, rowOf, lesson, rev)
        for (const { part, bytes } of parts) {
          const { file, n } = part
          const kept: PartRow = { owner: row.owner, lesson, rev, file: file.name, n, data: as(bytes) }
          await done(tx.objectStore('parts').put(kept))
          await dropPieces(tx, row.owner, lesson, rev, file.name, n)
        }
        await putSpent(tx, row, spent)
      })
    // From memory, and once: a Blob that was read from a database is one that WebKit may fail to write.
    await put((bytes) => new Blob([bytes])).catch((error: unknown) => {
      if (!refusesBlobs(error)) throw error
      return put((bytes) => bytes.buffer)
    })
  },
  /** What came of a part since the last piece of it. @throws GoneError as `keep` does */
  keepPiece: (
    lesson: string,
    rev: string,
    { file, n }: Part,
    { at, data }: Pick<PieceRow, 'at' | 'data'>,
    spent: number,
  ): Promise<void> =>
    write(async (tx) => {
      const row = await wantedIn(tx, rowOf, lesson, rev)
      const end = at + data.byteLength
      await putPiece(tx, { owner: row.owner, lesson, rev, file: file.name, n, at, end, data })
      await putSpent(tx, row, spent)
    }),
  /** What came of a part does not match its hash. */
  dropPieces: (lesson: string, rev: string, { file, n }: Part, spent: number): Promise<void> =>
    write(async (tx) => {
      const row = await wantedIn(tx, rowOf, lesson, rev)
      await dropPieces(tx, row.owner, lesson, rev, file.name, n)
      await putSpent(tx, row, spent)
    }),
  /** Puts the version that was fetched in the place of the old one. False when parts of it are missing. */
  swap: (lesson: string): Promise<boolean> =>
    write(async (tx) => {
      const row = await rowOf(tx, lesson)
      if (!row?.wanted || !row.next) throw new GoneError()
      if ((await missingOf(tx, row, row.next)).length > 0) return false
      const rest = { wanted: false, paused: false, full: false, agreed: 0 }
      const whole: LessonRow = { ...row, ready: row.next, next: null, ...rest }
      await putRow(tx, whole)
      await prune(tx, whole)
      return true
    }),
  /** Frees about so many bytes of what is being fetched; resolves with how many. */
  freeNewest: (lesson: string, bytes: number): Promise<number> =>
    write(async (tx) => {
      const row = await rowOf(tx, lesson)
      return row ? dropNewest(tx, row, bytes) : 0
    }),
  /** This one has met a full device: all downloads pause, so that none takes what was freed. */
  rest: (lesson: string): Promise<LessonRow[]> => write((tx) => restAll(tx, { lesson })),
  /**
   * The device has lost parts of a complete version: they are fetched again, the others stay. A version that an update has replaced
   * since it was opened has lost nothing.
   */
  mend: (lesson: string, rev: string): Promise<void> =>
    write(async (tx) => {
      const row = await rowOf(tx, lesson)
      if (row?.ready?.media.rev !== rev) return
      const wish = row.next ? row.wish : keptWish(row)
      await putRow(tx, { ...row, wish, ready: null, next: row.next ?? row.ready, wanted: true })
    }),
})

async function wantedIn(tx: IDBTransaction, rowOf: RowOf, lesson: string, rev: string): Promise<LessonRow> {
  const row = await rowOf(tx, lesson)
  if (!row?.wanted || row.next?.media.rev !== rev) throw new GoneError()
  return row
}

/** "Error preparing Blob/File data to be stored in object store" (WebKit). */
const refusesBlobs = (error: unknown): boolean =>
  error instanceof StorageError &&
  error.cause instanceof DOMException &&
  ['UnknownError', 'DataCloneError'].includes(error.cause.name)

function wantedRow(
  owner: string,
  wanted: WantedLesson,
  known: LessonRow | undefined,
  anyNetwork: boolean,
  at: number,
): LessonRow {
  // A visitor's, which is to be paid for now: it is this student's own from here on.
  const row = known && isShown({ ...wanted, owner: known.owner }, owner) ? known : undefined
  // What is on its way in another quality is nobody's any more; what both need stays until then.
  const same = sameWish(row?.wish, wanted.wish)
  return {
    ...wanted,
    owner: row?.owner ?? owner,
    ready: row?.ready ?? null,
    next: same ? (row?.next ?? null) : null,
    wanted: true,
    paused: false,
    full: false,
    anyNetwork: anyNetwork || (row?.wanted === true && row.anyNetwork),
    offered: row?.offered,
    left: false,
    rightUntil: row?.rightUntil ?? null,
    confirmedAt: row?.confirmedAt ?? 0,
    addedAt: row?.wanted ? row.addedAt : at,
    playedAt: row?.playedAt ?? 0,
    agreed: row?.agreed ?? 0,
  }
}
