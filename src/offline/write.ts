import { v7 as uuidv7 } from 'uuid'
import type { Scope } from '#src/contract/scalar.ts'
import { OP_VERSIONS } from '#src/contract/sync.ts'
import { apply } from '#src/domain/study.ts'
import { type Deltas, putDays, putSums, putView, refold, refoldThings, stateRow } from './fold.ts'
import type { Database } from './idb.ts'
import { type Act, type Draft, factOf, FOLD, isQuestionOp, nextSeq, streamOf, type WaitingOp } from './rows.ts'

/** What one write is about. */
export interface Written {
  ctx: Scope
  /** Epoch ms by the device's clock. */
  at: number
  /** What resumes the batch after it. */
  draft?: Draft | undefined
}

/**
 * The half of the record that writes what a student does. Screens on which something is done bring it with them; the first
 * screen, which only reads, comes without it.
 */
export const createWrite = (db: Database) => ({
  /** Writes the op, its effect and the resume draft together. Resolves when all of it is on disk. */
  add: (owner: string, act: Act, { ctx, at, draft }: Written): Promise<WaitingOp> =>
    db.run([...FOLD, 'meta', 'drafts'], 'readwrite', async (tx) => {
      const op = opOf(owner, act, { ctx, at }, await nextSeq(tx, owner))
      tx.objectStore('ops').put(op)
      if (draft) tx.objectStore('drafts').put({ owner, ...draft })
      await Promise.all([foldIn(tx, op), putDays(tx, owner, { added: [op] })])
      return op
    }),
})

function opOf(owner: string, act: Act, { ctx, at }: Written, seq: number): WaitingOp {
  const opId = uuidv7()
  return {
    owner,
    ctx,
    opId,
    seq,
    stream: streamOfAct(act, opId),
    kind: act.kind,
    v: OP_VERSIONS[act.kind],
    payload: act.payload,
    place: 'place' in act ? act.place : null,
    ...('right' in act && { right: act.right }),
    ...('undone' in act && { undone: act.undone }),
    clientAt: at,
    parked: false,
    acked: 0,
  }
}

function streamOfAct(act: Act, opId: string): string {
  if (act.kind === 'folder') return `folder:${act.payload.no}`
  if (act.kind === 'setting') return `setting:${act.payload.name}`
  return act.kind === 'report' ? `report:${opId}` : streamOf(act.payload.questionNo)
}

/** An answer goes on from what is shown; everything else, which is rare, is folded from all that waits. */
async function foldIn(tx: IDBTransaction, op: WaitingOp): Promise<void> {
  const { owner } = op
  if (!isQuestionOp(op)) return refoldThings(tx, owner, [op.stream])
  const { questionNo } = op.payload
  if (op.kind !== 'answer') return refold(tx, owner, [questionNo])
  const row = await stateRow(tx, owner, questionNo)
  const deltas: Deltas = new Map()
  putView(tx, { ...row, before: { opId: op.opId, view: row.view } }, apply(row.view, factOf(op), op.place), deltas)
  return putSums(tx, owner, deltas)
}

export type Write = ReturnType<typeof createWrite>['add']
