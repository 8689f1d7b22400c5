import { createBadge, createPlanned } from './record/badge.ts'
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

/** The sync, with the badge on the app's icon following what it brings and what is written. */
export function createSync({
  record,
  skew = () => 0,
  caller,
  ...parts
}: SyncParts & {
  record: Later
  skew?: (() => number) | undefined
  caller?: (() => Caller) | undefined
}): ReturnType<typeof createPlainSync> {
  const filling = caller && createFill(caller)
  const badge = createBadge(() => record.plannedToday(parts.owner, parts.now() + skew()))
  const sync = createPlainSync({
    ...parts,
    record,
    fill: filling?.fill,
    onEnd: (drained) => {
      parts.onEnd(drained)
      badge.soon()
    },
  })
  return {
    ...sync,
    wrote: () => {
      sync.wrote()
      badge.soon()
    },
    stop: () => {
      sync.stop()
      filling?.stop()
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
  ...createPlanned(db),
})
export type Later = ReturnType<typeof createLater>
