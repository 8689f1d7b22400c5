import { keys } from 'idb-keyval'
import { cacheStore } from './cacheStore.ts'

/** Hashes of the queries that this device has kept for this owner; none where it cannot be read. */
export async function keptHashes(owner: string): Promise<ReadonlySet<string>> {
  const names = await keys(cacheStore(owner)).catch(() => [])
  return new Set(names.flatMap((name) => (typeof name === 'string' && name.startsWith('q-') ? [name.slice(2)] : [])))
}
