import { WORKER_WRITES } from './names.ts'

/**
 * The service worker cannot read localStorage, where tornLog.ts remembers a full disk. So it writes to the databases only while an
 * entry of its own is in Cache Storage: a full disk lets an entry be deleted, but none be made.
 */
const ENTRY = '/allowed'

/** The service worker asks before it writes; null where the browser does not tell. */
export const mayWorkerWrite = async (): Promise<boolean | null> => {
  try {
    return (await caches.match(ENTRY, { cacheName: WORKER_WRITES })) !== undefined
  } catch {
    return null
  }
}

/** A page whose log is whole allows it. */
export const allowWorkerWrites = async (): Promise<void> =>
  (await caches.open(WORKER_WRITES)).put(ENTRY, new Response(''))

/** The service worker has met a full disk, or a page has. */
export const forbidWorkerWrites = (): Promise<boolean> =>
  typeof caches === 'undefined' ? Promise.resolve(false) : caches.delete(WORKER_WRITES).catch(() => false)
