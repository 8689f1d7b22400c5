import { dropDatabase } from './databases.ts'
import { createDatabase, done, isFull, StorageError } from './idb.ts'
import { ROOM_DB } from './names.ts'
import { MEND_BYTES, mended } from './tornLog.ts'

/** Left free for answers, the app's next version, and what the browser needs to work. */
export const MARGIN_BYTES = 50 * 1024 ** 2
const SLICE_BYTES = 1024 ** 2
/** `crypto.getRandomValues` gives no more at once. */
const RANDOM_BYTES = 65_536
const SLICES = 'slices'

/** How many of so many bytes cannot be written now. */
export type MissingRoom = (bytes: number) => Promise<number>

/**
 * No browser says how much is free: Chromium's `estimate().quota` is usage + 10 GiB on every disk. So as much is written, slice by
 * slice, and deleted again.
 */
export const missingRoom: MissingRoom = (bytes) => alone(() => tryToWrite(bytes))

/** Two tabs that try at once would each find the other's slices in their way. */
const alone = <T>(work: () => Promise<T>): Promise<T> =>
  typeof navigator !== 'undefined' && 'locks' in navigator ? navigator.locks.request(ROOM_DB, work) : work()

async function tryToWrite(bytes: number): Promise<number> {
  const db = createDatabase(ROOM_DB, 1, (made) => void made.createObjectStore(SLICES, { autoIncrement: true }))
  const change = (act: (store: IDBObjectStore) => IDBRequest) =>
    db.run([SLICES], 'readwrite', (tx) => done<unknown>(act(tx.objectStore(SLICES))))
  const slice = noise()
  let written = 0
  let isOpen = false
  try {
    // A page that was killed in the middle has left its slices.
    await change((store) => store.clear())
    isOpen = true
    for (; written < bytes; written += SLICE_BYTES) await change((store) => store.put(slice))
  } catch (error) {
    // The database is a new one, for which a full disk may have no room either.
    if (!isFull(error) && (isOpen || !isRefused(error))) throw error
  } finally {
    await change((store) => store.clear()).catch(() => {})
    db.close()
    indexedDB.deleteDatabase(ROOM_DB)
  }
  return Math.max(0, bytes - written)
}

const isRefused = (error: unknown): boolean => error instanceof StorageError && error.kind === 'unavailable'

/** Nothing that a browser could make smaller. */
function noise(): ArrayBuffer {
  const bytes = new Uint8Array(SLICE_BYTES)
  for (let at = 0; at < bytes.length; at += RANDOM_BYTES) crypto.getRandomValues(bytes.subarray(at, at + RANDOM_BYTES))
  return bytes.buffer
}

/** What a page that was killed in the middle has left, for whoever needs room at once. False: nothing. */
export const dropSlices = (): Promise<boolean> => dropDatabase(ROOM_DB)

/**
 * Makes the margin free again after a download has filled the device.
 * @param free frees about so many bytes of what can be fetched again, and resolves with how many; 0: nothing is left
 */
export async function restoreMargin(missing: MissingRoom, free: (bytes: number) => Promise<number>): Promise<void> {
  // First of all, as each try writes, too.
  await mended()
    .catch(() => free(MEND_BYTES).then(mended))
    .catch(() => {})
  for (let bytes = await missing(MARGIN_BYTES); bytes > 0; bytes = await missing(MARGIN_BYTES))
    if ((await free(bytes)) === 0) return
}
