import { type Database, done } from '../device/idb.ts'
import { ANONYMOUS } from '../device/names.ts'
import { foldMoved } from './write/foldThings.ts'
import {
  ALL,
  type DeadOp,
  type Draft,
  FOLD,
  nextSeq,
  ofOwner,
  opById,
  type Receipt,
  type WaitingOp,
} from '../device/rows.ts'

/** Ops that change hands, leave at the student's word, or come back from a file. */
export const createMoves = (db: Database) => ({
  /**
   * Gives a visitor's ops to the student: new owner and seqs, same ids, folded into the student's record; and what of them could
   * not be read (`upkeep.tend`). Returns how many ops there were.
   */
  adopt: (uidOwner: string): Promise<number> =>
    db.run([...ALL], 'readwrite', async (tx) => {
      const ops: WaitingOp[] = await done(tx.objectStore('ops').getAll(ofOwner(ANONYMOUS)))
      tx.objectStore('ops').delete(ofOwner(ANONYMOUS))
      for (const op of ops) tx.objectStore('ops').put({ ...op, owner: uidOwner, seq: await nextSeq(tx, uidOwner) })
      await foldMoved(tx, uidOwner, { added: ops })
      const dead: DeadOp[] = await done(tx.objectStore('dead').index('owner').getAll(ANONYMOUS))
      for (const op of dead) tx.objectStore('dead').put({ ...op, owner: uidOwner })
      const drafts: (Draft & { owner: string })[] = await done(tx.objectStore('drafts').getAll(ofOwner(ANONYMOUS)))
      for (const draft of drafts) {
        // Where both have a place to go on from, the student's own stays.
        const own: Draft | undefined = await done(tx.objectStore('drafts').get([uidOwner, draft.key]))
        if (!own) tx.objectStore('drafts').put({ ...draft, owner: uidOwner })
      }
      for (const store of ['states', 'sums', 'things', 'drafts']) tx.objectStore(store).delete(ofOwner(ANONYMOUS))
      return ops.length
    }),
  /** 放弃: the student said so in a dialog that named the number. */
  discard: (owner: string): Promise<void> =>
    db.run([...FOLD], 'readwrite', async (tx) => {
      const ops: WaitingOp[] = await done(tx.objectStore('ops').getAll(ofOwner(owner)))
      tx.objectStore('ops').delete(ofOwner(owner))
      await foldMoved(tx, owner, { left: ops })
    }),
  /** Puts back ops from a rescue file, unless they are here or were acknowledged here. Returns how many were missing. */
  restore: (owner: string, ops: readonly WaitingOp[]): Promise<number> =>
    db.run([...ALL], 'readwrite', async (tx) => {
      const receipts: Receipt[] = await done(tx.objectStore('receipts').getAll())
      const acknowledged = new Set(receipts.flatMap(({ opId, others = [] }) => [opId, ...others]))
      const missing: WaitingOp[] = []
      for (const op of ops) {
        if (acknowledged.has(op.opId) || (await opById(tx, op.opId))) continue
        tx.objectStore('ops').put({ ...op, owner, seq: await nextSeq(tx, owner), acked: 0 })
        missing.push(op)
      }
      await foldMoved(tx, owner, { added: missing })
      return missing.length
    }),
})
