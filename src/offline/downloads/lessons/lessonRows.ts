import { type MediaFile, PART_BYTES } from '#src/contract/course.ts'
import { done } from '#src/offline/device/idb.ts'
import { pruneCourses } from './lessonCourses.ts'
import { dropPieces, dropSpent, UNFINISHED, weighPieces } from './lessonPieces.ts'
import { filesOf, type LessonRow, type LessonVersion, type PieceRow } from './media.ts'
import { ANONYMOUS } from '#src/offline/device/names.ts'

/** What the transactions of lessons are made of. */
export const STORES = ['lessons', 'parts', 'courses', ...UNFINISHED]
/** Every key that begins so: a list sorts behind all text and numbers. */
export const under = (...key: string[]): IDBKeyRange => IDBKeyRange.bound(key, [...key, []])
export const rowsOf = (tx: IDBTransaction, owner?: string): Promise<LessonRow[]> =>
  done(tx.objectStore('lessons').getAll(owner === undefined ? undefined : under(owner)))
export const putRow = (tx: IDBTransaction, row: LessonRow): Promise<unknown> => done(tx.objectStore('lessons').put(row))
export const dropParts = (tx: IDBTransaction, ...of: string[]): Promise<unknown> =>
  Promise.all([done(tx.objectStore('parts').delete(under(...of))), dropPieces(tx, ...of)])

/** What a visitor has downloaded is anybody's: it stays with the phone and is shown to whoever logs in. */
export const isShown = (row: Pick<LessonRow, 'owner' | 'free'>, owner: string): boolean =>
  row.owner === owner || (row.owner === ANONYMOUS && row.free)
export const ownersFor = (owner: string): string[] => [...new Set([owner, ANONYMOUS])]

type PartKey = [owner: string, lesson: string, rev: string, file: string, n: number]
const keysOf = async (tx: IDBTransaction, ...of: string[]): Promise<PartKey[]> =>
  (await done(tx.objectStore('parts').getAllKeys(under(...of)))) as PartKey[]
const partOf = (file: string, n: number): string => `${n}:${file}`
/** One PART_BYTES of a file. */
export interface Part {
  file: MediaFile
  n: number
}
/** A part with all its bytes, verified. */
export interface WholePart {
  part: Part
  bytes: Uint8Array<ArrayBuffer>
}
export interface Begun {
  missing: Part[]
  /** What came of some of these, in its order: of as many as are fetched at once. */
  pieces: PieceRow[]
  spent: number
}
const partsOf = (version: LessonVersion): Part[] =>
  filesOf(version).flatMap((file) => file.parts.map((_, n) => ({ file, n })))
export async function missingOf(tx: IDBTransaction, row: LessonRow, version: LessonVersion): Promise<Part[]> {
  const keys = await keysOf(tx, row.owner, row.lesson, version.media.rev)
  const kept = new Set(keys.map(([, , , file, n]) => partOf(file, n)))
  return partsOf(version).filter(({ file, n }) => !kept.has(partOf(file.name, n)))
}

export async function shareOf(tx: IDBTransaction, { owner, lesson, next }: LessonRow): Promise<number> {
  if (!next) return 0
  const of = [owner, lesson, next.media.rev]
  // Under the same version another quality may be kept, which plays meanwhile.
  const wanted = new Set(filesOf(next).map(({ name }) => name))
  const count = (await keysOf(tx, ...of)).filter(([, , , file]) => wanted.has(file)).length
  const pieces = await weighPieces(tx, ...of)
  return Math.min(1, (count + pieces.bytes / PART_BYTES) / Math.max(1, partsOf(next).length))
}

/** Versions that nobody wants any more, and what is left of a wanted one in another quality. */
export async function prune(tx: IDBTransaction, { owner, lesson, ready, next }: LessonRow): Promise<void> {
  const versions = [ready, next].flatMap((version) => version ?? [])
  const revs = new Set(versions.map(({ media }) => media.rev))
  const wanted = new Set(versions.flatMap((each) => filesOf(each).map(({ name }) => `${each.media.rev}/${name}`)))
  const keys = await keysOf(tx, owner, lesson)
  const pieces = await weighPieces(tx, owner, lesson)
  const left = new Map<string, string[]>()
  for (const [, , rev, file] of [...keys, ...pieces.keys])
    if (!revs.has(rev)) left.set(rev, [rev])
    else if (!wanted.has(`${rev}/${file}`)) left.set(`${rev}/${file}`, [rev, file])
  if (!next) await dropSpent(tx, owner, lesson)
  await Promise.all([...left.values()].map((of) => dropParts(tx, owner, lesson, ...of)))
}

/** A lesson, with all that there is of it. */
export async function drop(tx: IDBTransaction, { owner, lesson }: Pick<LessonRow, 'owner' | 'lesson'>): Promise<void> {
  await done(tx.objectStore('lessons').delete([owner, lesson]))
  await dropParts(tx, owner, lesson)
  await dropSpent(tx, owner, lesson)
  await pruneCourses(tx, owner, await rowsOf(tx, owner))
}
