import type { Database } from './idb.ts'
import { createLedger } from './ledger.ts'
import { createMoves } from './moves.ts'
import { createOutbox } from './outbox.ts'
import { createSettle } from './settle.ts'
import { createUpkeep } from './upkeep.ts'

export { createSync } from './sync.ts'

/** What of the record no first screen needs: sending, upkeep, ops that change hands. A file of its own that comes after it. */
export const createLater = (db: Database) => ({
  ...createOutbox(db),
  ...createSettle(db),
  ...createUpkeep(db),
  ...createMoves(db),
  ...createLedger(db),
})
export type Later = ReturnType<typeof createLater>
