import { RECORD_DB } from './names.ts'

/**
 * Names of this site's databases; null where the browser does not tell. Firefox fails for the whole site once a database could not be
 * made for want of room, also when there is room again, until that database is opened anew. WebKit tells an empty list, or a part,
 * when it met a full disk or has lost its storage: a list without the record, which every page opens, says nothing.
 */
export async function databaseNames(): Promise<string[] | null> {
  try {
    const all = await indexedDB.databases()
    const names = all.flatMap(({ name }) => name ?? [])
    return names.includes(RECORD_DB) ? names : null
  } catch {
    return null
  }
}

/** An answer waits for it. */
const DROP_MS = 3_000

/**
 * Deletes a whole database: the one thing that Firefox lets a full disk do, as to delete a row is to write. Connections give way by
 * themselves (idb.ts). True when it was there and is gone; one that is held open goes later, of which nobody is told.
 */
export const dropDatabase = (name: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), DROP_MS)
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = (event) => {
      clearTimeout(timer)
      resolve(event instanceof IDBVersionChangeEvent && event.oldVersion > 0)
    }
    request.onblocked = () => resolve(false)
    request.onerror = () => reject(request.error)
  })
