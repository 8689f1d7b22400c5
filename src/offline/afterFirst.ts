import type { Database } from './device/idb.ts'
import type { Caller } from '#src/api/transport.ts'
import { createFill } from './sync/fill.ts'
import { createLedger } from './record/ledger.ts'
import { createMoves } from './record/moves.ts'
import { createOutbox } from './sync/outbox.ts'
import { openRecord } from './device/rows.ts'
import { createSettle } from './sync/settle.ts'
import { freeSpare } from './record/unusedFiles.ts'
import { createSync as createPlainSync, type SyncParts } from './sync/sync.ts'
import { createUpkeep } from './record/upkeep.ts'

/** The sync, with the parts of a long record that it fetches besides. */
export function createSync({
  caller,
  ...parts
}: SyncParts & { caller?: (() => Caller) | undefined }): ReturnType<typeof createPlainSync> {
  const filling = caller && createFill(caller)
  const sync = createPlainSync({ ...parts, fill: filling?.fill })
  return {
    ...sync,
    stop: () => {
      sync.stop()
      filling?.stop()
    },
  }
}

/** When space is short. */
export async function freeSpareOf(owner: string): Promise<boolean> {
  const db = openRecord()
  return freeSpare(db, owner, true).finally(db.close)
}

/** Downloaded lessons, of which most pages load nothing. */
export const lessonLeave = () => import('./downloads/lessons/lessonLeave.ts')
/** This file knows what came of downloads that are not whole; only a full device needs it. */
export const halfDownloads = () => import('./downloads/halfDownloads.ts')

/** What of the record no first screen needs: sending, upkeep, ops that change hands. A file of its own that comes after it. */
export const createLater = (db: Database) => ({
  ...createOutbox(db),
  ...createSettle(db),
  ...createUpkeep(db),
  ...createMoves(db),
  ...createLedger(db),
})
export type Later = ReturnType<typeof createLater>
