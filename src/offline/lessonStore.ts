import type { CourseDetail, MediaFile } from '#src/contract/course.ts'
import { type Database, done, StorageError } from './idb.ts'
import { courseOf, pruneCourses, putCourse } from './lessonCourses.ts'
import {
  filesOf,
  type LessonRow,
  type ListedLesson,
  type LessonVersion,
  openMedia,
  type PartRow,
  type WantedLesson,
} from './media.ts'
import { MEDIA_DB } from './names.ts'
import { GoneError } from './trouble.ts'

const STORES = ['lessons', 'parts', 'courses']
/** Every key that begins so: a list sorts behind all text and numbers. */
const under = (...key: string[]): IDBKeyRange => IDBKeyRange.bound(key, [...key, []])
const rowsOf = (tx: IDBTransaction, owner?: string): Promise<LessonRow[]> =>
  done(tx.objectStore('lessons').getAll(owner === undefined ? undefined : under(owner)))
const putRow = (tx: IDBTransaction, row: LessonRow): Promise<unknown> => done(tx.objectStore('lessons').put(row))
const dropParts = (tx: IDBTransaction, ...of: string[]): Promise<unknown> =>
  done(tx.objectStore('parts').delete(under(...of)))

type PartKey = [owner: string, lesson: string, rev: string, file: string, n: number]
const keysOf = async (tx: IDBTransaction, ...of: string[]): Promise<PartKey[]> =>
  (await done(tx.objectStore('parts').getAllKeys(under(...of)))) as PartKey[]
const partOf = (file: string, n: number): string => `${n}:${file}`
/** One PART_BYTES of a file. */
export interface Part {
  file: MediaFile
  n: number
}
const partsOf = (version: LessonVersion): Part[] =>
  filesOf(version).flatMap((file) => file.parts.map((_, n) => ({ file, n })))
async function missingOf(tx: IDBTransaction, row: LessonRow, version: LessonVersion): Promise<Part[]> {
  const keys = await keysOf(tx, row.owner, row.lesson, version.media.rev)
  const kept = new Set(keys.map(([, , , file, n]) => partOf(file, n)))
  return partsOf(version).filter(({ file, n }) => !kept.has(partOf(file.name, n)))
}

async function shareOf(tx: IDBTransaction, { owner, lesson, next }: LessonRow): Promise<number> {
  if (!next) return 0
  const count = await done(tx.objectStore('parts').count(under(owner, lesson, next.media.rev)))
  return count / Math.max(1, partsOf(next).length)
}

/** Versions that nobody wants any more. */
async function prune(tx: IDBTransaction, { owner, lesson, ready, next }: LessonRow): Promise<void> {
  const wanted = new Set([ready?.media.rev, next?.media.rev])
  const revs = new Set((await keysOf(tx, owner, lesson)).map(([, , rev]) => rev))
  await Promise.all([...revs].flatMap((rev) => (wanted.has(rev) ? [] : [dropParts(tx, owner, lesson, rev)])))
}

/** Lessons of one student as they are written. Each method is one transaction; none of them touches what a student did. */
export function createLessonStore(db: Database, owner: string) {
  const write = <T>(body: (tx: IDBTransaction) => Promise<T>): Promise<T> => db.run(STORES, 'readwrite', body)
  const read = <T>(body: (tx: IDBTransaction) => Promise<T>): Promise<T> => db.run(STORES, 'readonly', body)
  const rowOf = (tx: IDBTransaction, lesson: string): Promise<LessonRow | undefined> =>
    done(tx.objectStore('lessons').get([owner, lesson]))
  const change = (lessons: readonly string[], to: (row: LessonRow) => LessonRow): Promise<void> =>
    write(async (tx) => {
      const rows = await Promise.all(lessons.map((lesson) => rowOf(tx, lesson)))
      await Promise.all(rows.flatMap((row) => (row ? [putRow(tx, to(row))] : [])))
    })
  return {
    ...reading(read, rowOf, owner),
    ...fetching(write, rowOf, owner),
    /** Puts down what is to be fetched, behind what is to be fetched already. */
    want: (list: readonly WantedLesson[], anyNetwork: boolean, at: number): Promise<void> =>
      write(async (tx) => {
        const rows = await Promise.all(list.map(({ lesson }) => rowOf(tx, lesson)))
        await Promise.all(list.map((each, i) => putRow(tx, wantedRow(owner, each, rows[i], anyNetwork, at + i))))
      }),
    patch: (lessons: readonly string[], patch: Partial<LessonRow>): Promise<void> =>
      change(lessons, (row) => ({ ...row, ...patch })),
    /** What the server has just said of these lessons' rights. */
    confirm: (lessons: readonly string[], rightUntil: number | null, at: number): Promise<void> =>
      change(lessons, (row) => ({ ...row, rightUntil, confirmedAt: at })),
    /** Ends downloads: complete versions stay. */
    cancel: (lessons: readonly string[]): Promise<void> =>
      write(async (tx) => {
        for (const lesson of lessons) {
          const row = await rowOf(tx, lesson)
          if (!row) continue
          const rest: LessonRow = { ...row, next: null, wanted: false, paused: false }
          if (row.ready) await putRow(tx, rest)
          else await done(tx.objectStore('lessons').delete([owner, lesson]))
          await prune(tx, rest)
        }
        await pruneCourses(tx, owner, await rowsOf(tx, owner))
      }),
    remove: (lessons: readonly string[]): Promise<void> =>
      write(async (tx) => {
        for (const lesson of lessons) await drop(tx, { owner, lesson })
      }),
    keepCourse: (course: CourseDetail): Promise<void> =>
      write(async (tx) => putCourse(tx, owner, course, await rowsOf(tx, owner))),
  }
}
export type LessonStore = ReturnType<typeof createLessonStore>

type Run = <T>(body: (tx: IDBTransaction) => Promise<T>) => Promise<T>
type RowOf = (tx: IDBTransaction, lesson: string) => Promise<LessonRow | undefined>

const reading = (read: Run, rowOf: RowOf, owner: string) => ({
  list: (): Promise<ListedLesson[]> =>
    read(async (tx) => {
      const rows = await rowsOf(tx, owner)
      return Promise.all(rows.map(async (row) => ({ ...row, share: await shareOf(tx, row) })))
    }),
  get: (lesson: string): Promise<LessonRow | undefined> => read((tx) => rowOf(tx, lesson)),
  course: (no: string): Promise<CourseDetail | null> => read((tx) => courseOf(tx, owner, no)),
  /** Parts of the version under way that are not on this device. */
  missing: (lesson: string): Promise<Part[]> =>
    read(async (tx) => {
      const row = await rowOf(tx, lesson)
      return row?.next ? missingOf(tx, row, row.next) : []
    }),
  /**
   * A file of the complete version; null when the device has lost any of it. By primary key: read through an index, iOS 18.4
   * gave Blobs whose files were gone. The parts are put side by side, not copied.
   */
  file: (lesson: string, rev: string, { name, type, bytes }: MediaFile): Promise<Blob | null> =>
    read(async (tx) => {
      const parts = await done<PartRow[]>(tx.objectStore('parts').getAll(under(owner, lesson, rev, name)))
      const blob = new Blob(
        parts.map(({ data }) => data),
        { type },
      )
      return blob.size === bytes ? blob : null
    }),
})

const fetching = (write: Run, rowOf: RowOf, owner: string) => ({
  /** The version to fetch, or the same under a new address; a complete one stays beside it until the swap. */
  begin: (lesson: string, next: LessonVersion): Promise<void> =>
    write(async (tx) => {
      const row = await rowOf(tx, lesson)
      if (!row?.wanted) throw new GoneError()
      const begun: LessonRow = { ...row, next }
      await putRow(tx, begun)
      await prune(tx, begun)
    }),
  /** @throws GoneError when nobody wants it any more: it would stay for ever. */
  keep: async (lesson: string, rev: string, { file, n }: Part, bytes: ArrayBuffer): Promise<void> => {
    const put = (data: Blob | ArrayBuffer) =>
      write(async (tx) => {
        const row = await rowOf(tx, lesson)
        if (!row?.wanted || row.next?.media.rev !== rev) throw new GoneError()
        await done(tx.objectStore('parts').put({ owner, lesson, rev, file: file.name, n, data } satisfies PartRow))
      })
    // From memory, and once: a Blob that was read from a database is one that WebKit may fail to write.
    await put(new Blob([bytes])).catch((error: unknown) => {
      if (!refusesBlobs(error)) throw error
      return put(bytes)
    })
  },
  /** Puts the version that was fetched in the place of the old one. False when parts of it are missing. */
  swap: (lesson: string): Promise<boolean> =>
    write(async (tx) => {
      const row = await rowOf(tx, lesson)
      if (!row?.wanted || !row.next) throw new GoneError()
      if ((await missingOf(tx, row, row.next)).length > 0) return false
      const whole: LessonRow = { ...row, ready: row.next, next: null, wanted: false, paused: false, newer: false }
      await putRow(tx, whole)
      await prune(tx, whole)
      return true
    }),
  /** The device has lost parts of a complete version: they are fetched again, the others stay. */
  mend: (lesson: string): Promise<void> =>
    write(async (tx) => {
      const row = await rowOf(tx, lesson)
      if (row?.ready) await putRow(tx, { ...row, ready: null, next: row.next ?? row.ready, wanted: true })
    }),
})

/** "Error preparing Blob/File data to be stored in object store" (WebKit). */
const refusesBlobs = (error: unknown): boolean =>
  error instanceof StorageError &&
  error.cause instanceof DOMException &&
  ['UnknownError', 'DataCloneError'].includes(error.cause.name)

const wantedRow = (
  owner: string,
  wanted: WantedLesson,
  row: LessonRow | undefined,
  anyNetwork: boolean,
  at: number,
): LessonRow => ({
  owner,
  ...wanted,
  ready: row?.ready ?? null,
  next: row?.next ?? null,
  wanted: true,
  paused: false,
  anyNetwork: anyNetwork || (row?.wanted === true && row.anyNetwork),
  newer: row?.newer ?? false,
  left: false,
  rightUntil: row?.rightUntil ?? null,
  confirmedAt: row?.confirmedAt ?? 0,
  addedAt: row?.wanted ? row.addedAt : at,
  playedAt: row?.playedAt ?? 0,
})

const used = ({ addedAt, playedAt }: LessonRow): number => Math.max(addedAt, playedAt)

/**
 * When an answer needs the room, one lesson leaves, and its row says so: others' before one's own, half ones before whole ones,
 * then the one that was used longest ago. Downloads rest, or they would take the room again. Null when there is none.
 */
export async function giveUpLesson(owner: string): Promise<LessonRow | null> {
  const db = openMedia()
  try {
    const { rows, heavy } = await db.run(STORES, 'readonly', weigh)
    const rank = (row: LessonRow) => [Number(row.owner === owner), Number(row.ready !== null), used(row)] as const
    const [row] = heavy.sort((a, b) => compare(rank(a), rank(b)))
    if (!row) return null
    // Nothing can be written before there is room.
    await db.run(STORES, 'readwrite', (tx) => dropParts(tx, row.owner, row.lesson))
    await db
      .run(STORES, 'readwrite', (tx) => leave(tx, row))
      // Still too full for its row: that goes, too.
      .catch(() => db.run(STORES, 'readwrite', (tx) => drop(tx, row)))
    tellTabs(rows)
    return row
  } finally {
    db.close()
  }
}

async function weigh(tx: IDBTransaction): Promise<{ rows: LessonRow[]; heavy: LessonRow[] }> {
  const rows = await rowsOf(tx)
  const parts = tx.objectStore('parts')
  const counts = await Promise.all(rows.map(({ owner, lesson }) => done(parts.count(under(owner, lesson)))))
  return { rows, heavy: rows.filter((_, i) => (counts[i] ?? 0) > 0) }
}
const compare = (a: readonly number[], b: readonly number[]): number =>
  a.map((each, i) => each - (b[i] ?? 0)).find((difference) => difference !== 0) ?? 0

async function leave(tx: IDBTransaction, row: LessonRow): Promise<void> {
  const rows = await rowsOf(tx)
  const wanted = rows.filter((each) => each.wanted)
  await Promise.all(wanted.map((each) => putRow(tx, { ...each, paused: true })))
  await putRow(tx, { ...row, ready: null, next: null, wanted: false, paused: false, left: true })
}
async function drop(tx: IDBTransaction, { owner, lesson }: Pick<LessonRow, 'owner' | 'lesson'>): Promise<void> {
  await done(tx.objectStore('lessons').delete([owner, lesson]))
  await dropParts(tx, owner, lesson)
  await pruneCourses(tx, owner, await rowsOf(tx, owner))
}

/** This one among them: as another tab would (board.ts). */
function tellTabs(rows: readonly LessonRow[]): void {
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(MEDIA_DB)
  for (const { lesson, wanted } of rows) if (wanted) channel.postMessage({ type: 'stop', no: lesson })
  channel.postMessage({ type: 'changed' })
  channel.close()
}

/** At logout: all that this student has downloaded. */
export async function purgeLessons(owner: string): Promise<void> {
  const db = openMedia()
  await db
    .run(STORES, 'readwrite', async (tx) => {
      await done(tx.objectStore('lessons').delete(under(owner)))
      await dropParts(tx, owner)
      await pruneCourses(tx, owner, [])
    })
    .finally(db.close)
}
