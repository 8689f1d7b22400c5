import { clear } from 'idb-keyval'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { ALL, openRecord } from '#src/offline/device/rows.ts'
import { offline } from '#src/offline/index.ts'

/** Leaves nothing on the device: no record, and no answer of the server. */
export async function emptyDevice(): Promise<void> {
  const db = openRecord()
  await db.run([...ALL], 'readwrite', async (tx) => ALL.forEach((store) => tx.objectStore(store).clear()))
  db.close()
  await clear(cacheStore(offline.owner))
}
