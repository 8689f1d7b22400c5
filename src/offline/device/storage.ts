import { delMany, entries } from 'idb-keyval'
import { databaseNames, dropDatabase } from './databases.ts'
import { StorageError } from './idb.ts'
import { apiCache, cacheDb, DOCUMENT_CACHE, IMAGE_CACHE, MEDIA_DB } from './names.ts'
import { cacheStore, sealCache } from './cacheStore.ts'
import { markLeft } from './logouts.ts'
import { createListeners } from '../listeners.ts'
import { isTorn, mended } from './tornLog.ts'

const later = () => import('../afterFirst.ts')
const lessonLeave = () => later().then((all) => all.lessonLeave())
const halfDownloads = () => later().then((all) => all.halfDownloads())
const given = createListeners<string>()
/** Told the title of a downloaded lesson that made room for an answer. */
export const onGivenUp = given.add

/**
 * Deletes what can be fetched again, most dispensable first, until something was deleted. Never an op.
 * @param lessons whether what is to be kept is worth a lesson that the student has downloaded
 */
async function freeSpace(owner: string, lessons: boolean): Promise<boolean> {
  if (isTorn()) return freeBesideDatabases(owner, lessons)
  if (lessons && (await freeHalf(owner))) return true
  if (lessons && (await dropLesson(owner).catch(() => false))) return true
  if (await dropCaches(owner)) return true
  if (await dropSpare(owner)) return true
  const rows = await cachedRows(owner)
  if (rows && (await dropOldest(owner, rows).catch(() => false))) return true
  // A cache that cannot be read may still be deleted; the reading itself has made one that has no rows.
  return lessons && rows?.length !== 0 && dropDatabase(cacheDb(owner))
}

/** To delete in a database is to write in it, as is to open one that is not there: lessons alone are worth it, and they come last. */
async function freeBesideDatabases(owner: string, lessons: boolean): Promise<boolean> {
  if (await dropCaches(owner)) return true
  if (!lessons || (await databaseNames())?.includes(MEDIA_DB) === false) return false
  return dropLesson(owner).catch(() => false)
}

async function dropCaches(owner: string): Promise<boolean> {
  if (typeof caches === 'undefined') return false
  for (const name of [IMAGE_CACHE, DOCUMENT_CACHE, apiCache(owner)])
    if (await caches.delete(name).catch(() => false)) return true
  return false
}

/** What came of downloads that are not whole. */
async function freeHalf(owner: string): Promise<boolean> {
  const half = await halfDownloads().catch(() => null)
  return half !== null && half.freeHalfDownload(owner)
}

/** One at a time: each is a hundred times what an answer takes. */
async function dropLesson(owner: string): Promise<boolean> {
  const { giveUpLesson } = await lessonLeave()
  const lesson = await giveUpLesson(owner)
  if (lesson?.owner === owner) given.tell(lesson.title)
  return lesson !== null
}

/** What is on no list of the student's any more. */
const dropSpare = (owner: string): Promise<boolean> =>
  later()
    .then(({ freeSpareOf }) => freeSpareOf(owner))
    .catch(() => false)

type CacheRow = [key: string, value: { usedAt?: number }]
/** Null when they cannot be read. */
const cachedRows = (owner: string): Promise<CacheRow[] | null> =>
  entries<string, CacheRow[1]>(cacheStore(owner)).catch(() => null)

/** The half of the cached queries that was used longest ago. */
async function dropOldest(owner: string, rows: readonly CacheRow[]): Promise<boolean> {
  const index = rows.filter(([key]) => key.startsWith('i-')).sort(([, a], [, b]) => (a.usedAt ?? 0) - (b.usedAt ?? 0))
  const old = index.slice(0, Math.ceil(index.length / 2)).map(([key]) => key)
  await delMany(
    old.flatMap((key) => [key, `q-${key.slice(2)}`]),
    cacheStore(owner),
  )
  return old.length > 0
}

/** The last resort halves the cache, so this is enough for any; what the worker keeps anew meanwhile must not hold it up. */
const TRIES = 40

/**
 * Runs a write; when the device is full, makes space and tries again, until it is kept or nothing is left to give up.
 * @param tries 1 for what can itself be fetched again: it is not worth all the rest.
 * @param isLast nothing more is known that could be given up
 */
export async function withSpace<T>(
  owner: string,
  write: () => Promise<T>,
  tries = TRIES,
  lessons = tries === TRIES,
  isLast = false,
): Promise<T> {
  try {
    // An act is reported as kept only where the next start finds it. Content that can be fetched again is not worth a risk to it.
    // Nothing else may be awaited here: a batch that is given up is saved once more and then dropped, in that order.
    if (isTorn() && !lessons) throw new StorageError('quota')
    if (isTorn()) await mended()
    return await write()
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== 'quota') throw error
    if (isTorn() && !lessons) throw error
    if (tries === 0) throw error
    const isRoom = await freeSpace(owner, lessons).catch(() => false)
    // An act is tried once more all the same: another one may have made the room, and WebKit that can open no database deletes
    // one without telling that it was there.
    if (!isRoom && (isLast || !lessons)) throw error
    return withSpace(owner, write, tries - 1, lessons, isLast || !isRoom)
  }
}

/** Everything of this owner that can be fetched again; their ops stay. */
export async function purgeCaches(owner: string, now: number): Promise<void> {
  sealCache(owner)
  await markLeft(owner, now)
  if (typeof caches !== 'undefined') await caches.delete(apiCache(owner)).catch(() => false)
  try {
    indexedDB.deleteDatabase(cacheDb(owner))
  } catch {
    // A browser that refuses it has kept nothing in it.
  }
  await lessonLeave()
    .then(({ purgeLessons }) => purgeLessons(owner))
    .catch(() => {
      // What stays is under this owner's name, shown to nobody else, and the first to leave a full device.
    })
}
