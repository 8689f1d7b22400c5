import { createBadge, createDue } from './badge.ts'
import { letGoWhenFrozen } from './frozen.ts'
import type { Database } from './idb.ts'
import { createLedger } from './ledger.ts'
import { createMoves } from './moves.ts'
import { createOutbox } from './outbox.ts'
import { openRecord } from './rows.ts'
import { createSettle } from './settle.ts'
import { freeSpare } from './spare.ts'
import { createSync as createPlainSync, type SyncParts } from './sync.ts'
import { createUpkeep } from './upkeep.ts'

/**
 * The sync, with the badge on the app's icon following what it brings and what is written; and from here on no transaction
 * outlives its page.
 */
export function createSync({
  record,
  skew = () => 0,
  ...parts
}: SyncParts & { record: Later; skew?: (() => number) | undefined }): ReturnType<typeof createPlainSync> {
  const badge = createBadge(() => record.dueCount(parts.owner, parts.now() + skew()))
  const sync = createPlainSync({
    ...parts,
    record,
    onEnd: (drained) => {
      parts.onEnd(drained)
      badge.soon()
    },
  })
  const keepFrozen = letGoWhenFrozen()
  return {
    ...sync,
    wrote: () => {
      sync.wrote()
      badge.soon()
    },
    stop: () => {
      sync.stop()
      keepFrozen()
      badge.clear()
    },
  }
}

/** When space is short. */
export async function freeSpareOf(owner: string): Promise<boolean> {
  const db = openRecord()
  return freeSpare(db, owner, true).finally(db.close)
}

/** Downloaded lessons, of which most pages load nothing. */
export const lessonLeave = () => import('./lessonLeave.ts')
/** This file knows what came of downloads that are not whole; only a full device needs it. */
export const halfDownloads = () => import('./halfDownloads.ts')

/** What of the record no first screen needs: sending, upkeep, ops that change hands. A file of its own that comes after it. */
export const createLater = (db: Database) => ({
  ...createOutbox(db),
  ...createSettle(db),
  ...createUpkeep(db),
  ...createMoves(db),
  ...createLedger(db),
  ...createDue(db),
})
export type Later = ReturnType<typeof createLater>
