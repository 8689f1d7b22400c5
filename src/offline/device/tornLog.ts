import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { createDatabase, done, expectTears, StorageError } from './idb.ts'
import { createListeners } from '../listeners.ts'
import { LOG_DB } from './names.ts'
import { allowWorkerWrites, forbidWorkerWrites, mayWorkerWrite } from './workerWrites.ts'

/**
 * A full disk tears the log that Chromium keeps of all databases of a site: half a record stays at its end. That harms nothing,
 * until something is written behind it: it is acknowledged and read back, and at the next start all of the site's databases are
 * gone (ADR 0086). A log that has become long is put into tables, and a new one begun; so a torn one is mended by writing more than
 * two of them hold, when that much room is there for certain.
 */
const TIMES = 8
const VALUES = 42
/** Chromium puts larger values into files beside the log. */
const VALUE_LENGTH = 30_000
const BALLAST = 'ballast'
/** The repair takes this much room for a while, with some to spare. */
export const MEND_BYTES = 12 * 1024 ** 2

let mending: Promise<void> | null = null
const tears = createListeners()
/** Listeners are called when a full disk was met. */
export const onTear = tears.add

expectTears(tear)
/** A full disk was met, here or by a worker of this page. */
export function tear(): void {
  deviceMemory.set(DEVICE_KEYS.torn, '1')
  deviceMemory.remove(DEVICE_KEYS.workerWrites)
  void forbidWorkerWrites()
  if (!mending) tears.tell()
}

/** The page is put away, and the service worker may have to send for it. */
export async function letWorkerWrite(): Promise<void> {
  if (isTorn()) return
  await allowWorkerWrites()
  deviceMemory.set(DEVICE_KEYS.workerWrites, '1')
}

/** The service worker may have met a full disk since a page let it write: looked for at the start of a page. */
export async function hearWorker(): Promise<void> {
  if (deviceMemory.get(DEVICE_KEYS.workerWrites) !== null && (await mayWorkerWrite()) === false) tear()
}

/** Nothing may be written to a database but what mends it. */
export const isTorn = (): boolean => deviceMemory.get(DEVICE_KEYS.torn) !== null

/** Resolves when what is written next will still be there after the next start. @throws StorageError when there is no room for it */
export async function mended(): Promise<void> {
  if (isTorn()) await (mending ??= mend().finally(() => (mending = null)))
}

async function mend(): Promise<void> {
  await findRoom()
  const db = createDatabase(LOG_DB, 1, (made) => void made.createObjectStore(BALLAST))
  const value = 'x'.repeat(VALUE_LENGTH)
  const fill = (tx: IDBTransaction) =>
    Promise.all(Array.from({ length: VALUES }, (_, n) => done(tx.objectStore(BALLAST).put(value, n))))
  try {
    for (let time = 0; time < TIMES; time++) await db.run([BALLAST], 'readwrite', fill)
    deviceMemory.remove(DEVICE_KEYS.torn)
  } finally {
    db.close()
    indexedDB.deleteDatabase(LOG_DB)
  }
}

/** It looks for room in Cache Storage, because an attempt in a database would itself be written behind the tear. */
async function findRoom(): Promise<void> {
  if (typeof caches === 'undefined') return
  try {
    const cache = await caches.open(LOG_DB)
    await cache.put('/room', new Response(new Uint8Array(MEND_BYTES)))
  } catch (error) {
    throw new StorageError('quota', error)
  } finally {
    await caches.delete(LOG_DB).catch(() => false)
  }
}
