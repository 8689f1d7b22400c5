import type { UseStore } from 'idb-keyval'
import { createDatabase } from './idb.ts'
import { cacheDb } from './names.ts'

const STORE = 'q'
const stores = new Map<string, UseStore>()

/** idb-keyval's helpers over our own connection, which reopens after iOS has closed it. */
export function cacheStore(owner: string): UseStore {
  const known = stores.get(owner)
  if (known) return known
  const db = createDatabase(cacheDb(owner), 1, (opened) => void opened.createObjectStore(STORE))
  const use: UseStore = (mode, callback) =>
    db.run([STORE], mode, (tx) => Promise.resolve(callback(tx.objectStore(STORE))))
  stores.set(owner, use)
  return use
}
