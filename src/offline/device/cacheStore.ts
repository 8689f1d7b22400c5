import type { UseStore } from 'idb-keyval'
import { createDatabase } from './idb.ts'
import { cacheDb } from './names.ts'

const STORE = 'q'
const stores = new Map<string, UseStore>()
const sealed = new Set<string>()

/** After a logout: what this page still receives must not fill the owner's cache again. */
export const sealCache = (owner: string): unknown => sealed.add(owner)

/** idb-keyval's helpers over our own connection, which reopens after iOS has closed it. */
export function cacheStore(owner: string): UseStore {
  const known = stores.get(owner)
  if (known) return known
  const db = createDatabase(cacheDb(owner), 1, (opened) => void opened.createObjectStore(STORE), true)
  const use: UseStore = async (mode, callback) => {
    if (sealed.has(owner)) throw new Error('this owner has left')
    return db.run([STORE], mode, (tx) => Promise.resolve(callback(tx.objectStore(STORE))))
  }
  stores.set(owner, use)
  return use
}
