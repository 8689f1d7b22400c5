import { isOwners } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { forgetNoted } from '../device/evicted.ts'
import { done } from '../device/idb.ts'
import { ALL, ofOwner, openRecord, type Receipt, refoldKey } from '../device/rows.ts'

/** Of a record's stores those whose keys begin with the owner. */
const BY_OWNER = ['ops', 'states', 'sums', 'things', 'drafts'] as const

/**
 * Deletes all that a student ever did on this device, also what nobody else has, and what the browser remembers of it: their
 * account is closed. Caches leave with the logout. That they have left here stays known (logouts.ts): answers that are still on
 * their way to the caches must not be kept.
 */
export async function forgetOwner(owner: string): Promise<void> {
  const db = openRecord()
  await db
    .run([...ALL], 'readwrite', async (tx) => {
      for (const store of BY_OWNER) tx.objectStore(store).delete(ofOwner(owner))
      const dead = await done(tx.objectStore('dead').index('owner').getAllKeys(owner))
      for (const key of dead) tx.objectStore('dead').delete(key)
      const receipts: Receipt[] = await done(tx.objectStore('receipts').getAll())
      for (const receipt of receipts) if (receipt.owner === owner) tx.objectStore('receipts').delete(receipt.opId)
      for (const key of [`seq:${owner}`, `cursor:${owner}`, refoldKey(owner)]) tx.objectStore('meta').delete(key)
    })
    .finally(db.close)
  await forgetNoted(owner).catch(() => {})
  for (const key of deviceMemory.keys()) if (isOwners(key, owner)) deviceMemory.remove(key)
}
