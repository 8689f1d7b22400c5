import { v7 as uuidv7 } from 'uuid'
import type { Scope } from '#src/contract/scalar.ts'
import { OP_VERSIONS } from '#src/contract/sync.ts'
import { apply } from '#src/domain/study/study.ts'
import { isFinal } from '#src/domain/record/handedIn.ts'
import { thingOf } from '#src/domain/record/things.ts'
import { putDays, putView, readModel, stateRow, thingRow } from './fold.ts'
import { foldMoved, touchedBy } from './foldThings.ts'
import type { Database } from '#src/offline/device/idb.ts'
import { isHandedIn } from '../record.ts'
import {
  type Act,
  type AnswerAct,
  type Draft,
  factOf,
  FOLD,
  nextSeq,
  streamOf,
  type WaitingOp,
} from '#src/offline/device/rows.ts'
import { type Measured, tick } from '#src/offline/device/steadyClock.ts'
import { type Deltas, putSums, sumsRow } from '../sums.ts'

/** What one write is about. */
export interface Written {
  ctx: Scope
  /** Epoch ms by the device's clock. */
  at: number
  /** ms by a clock that only goes forward (steadyClock.ts). */
  steady?: number
  /** By how much the server's clock is ahead of `at`'s. */
  skewMs?: number
  /** What resumes the batch after it. */
  draft?: Draft | undefined
}

/**
 * The half of the record that writes what a student does. Screens on which something is done bring it with them; the first
 * screen, which only reads, comes without it.
 */
export const createWrite = (db: Database) => ({
  /** Writes an answer, its effect and the resume draft together. Resolves with its op id when all of it is on disk. */
  answer: (owner: string, act: AnswerAct, written: Written): Promise<string> =>
    db.run([...FOLD, 'meta', 'drafts'], 'readwrite', async (tx) => {
      const { questionNo } = act.payload
      if (written.draft) tx.objectStore('drafts').put({ owner, ...written.draft })
      // All reads side by side: each round of them is 3 ms more until the mark on a slow phone.
      const writing = tickOf(tx, written).then((now) =>
        putOp(tx, waitingOp(owner, act, streamOf(questionNo), written, now)),
      )
      const chapterNo = act.place.chapterNo ?? ''
      const sums = sumsRow(tx, owner, chapterNo)
      const reading = stateRow(tx, owner, questionNo)
      const [op, row, model] = await Promise.all([writing, reading, readModel(tx, owner)])
      const fold = async () => {
        const deltas: Deltas = new Map()
        // An answer goes on from what is shown; everything else, which is rare, is folded from all that waits.
        const view = apply(row.view, factOf({ ...op, payload: act.payload }), act.place, model)
        putView(tx, { ...row, before: { opId: op.opId, view: row.view } }, view, deltas)
        await putSums(tx, owner, deltas, new Map([[chapterNo, sums]]))
      }
      await Promise.all([fold(), putDays(tx, owner, { added: [op] })])
      return op.opId
    }),
  /**
   * Writes ops, their effect and the resume draft together, or none of it. Nothing is written, and no ids are given back, when
   * they hand in what is handed in already, a paper or the batch of the draft: in another tab, say.
   */
  all: (owner: string, acts: readonly Act[], written: Written): Promise<{ opIds: string[]; touched: string[] }> =>
    db.run([...FOLD, 'meta', 'drafts'], 'readwrite', async (tx) => {
      if (await isRepeated(tx, owner, acts, written.draft)) return { opIds: [], touched: [] }
      const ops: WaitingOp[] = []
      const now = await tickOf(tx, written)
      for (const act of acts) {
        const opId = act.opId ?? uuidv7()
        ops.push(await putOp(tx, waitingOp(owner, { ...act, opId }, streamOfAct(act, opId), written, now)))
      }
      if (written.draft) tx.objectStore('drafts').put({ owner, ...written.draft })
      await foldMoved(tx, owner, { added: ops })
      return { opIds: ops.map(({ opId }) => opId), touched: ops.map(touchedBy) }
    }),
})

async function isRepeated(
  tx: IDBTransaction,
  owner: string,
  acts: readonly Act[],
  draft: Draft | undefined,
): Promise<boolean> {
  if (draft && (await isHandedIn(tx, owner, draft))) return true
  const handIn = acts.find(({ kind }) => kind === 'handIn')
  if (handIn?.kind === 'handIn') return (await thingRow(tx, owner, 'attempt', handIn.payload.attemptId)).view !== null
  const sealing = acts.find(({ kind }) => kind === 'examHandIn')
  if (sealing?.kind !== 'examHandIn') return false
  const { view } = await thingRow(tx, owner, 'exam', sealing.payload.attemptId)
  return view?.kind === 'exam' && isFinal(view.body)
}

function streamOfAct(act: Act, opId: string): string {
  if ('place' in act) return streamOf(act.payload.questionNo)
  const { kind, id } = thingOf({ ...act, opId })
  return `${kind}:${id}`
}

type Tick = Awaited<ReturnType<typeof tick>>
const tickOf = (tx: IDBTransaction, { at, steady = at, skewMs = 0 }: Written): Promise<Tick> =>
  tick(tx, { wall: at, steady }, skewMs)

/** Numbered when it is put. */
function waitingOp(owner: string, act: Act, stream: string, { ctx, at }: Written, now: Tick): WaitingOp {
  const ago = act.at === undefined ? 0 : Math.max(0, now.at - act.at)
  const skewMs = now.at - at
  return {
    owner,
    ctx,
    opId: act.opId ?? uuidv7(),
    seq: 0,
    stream,
    kind: act.kind,
    v: OP_VERSIONS[act.kind],
    payload: act.payload,
    place: 'place' in act ? act.place : null,
    ...('right' in act && { right: act.right }),
    ...('undone' in act && { undone: act.undone }),
    ...('earned' in act && { earned: act.earned }),
    clientAt: Math.max(0, at - ago),
    ...(skewMs !== 0 && { skewMs }),
    measured: before(now.measured, ago),
    parked: false,
    acked: 0,
  }
}

/** The same device's measure of an earlier moment. */
const before = ({ own, sure, since }: Measured, ago: number): Measured => ({
  own: Math.max(0, own - ago),
  sure: Math.max(0, sure - ago),
  ...(since !== undefined && { since: Math.max(0, since - ago) }),
})

/** One more op that waits, not folded in yet. */
async function putOp(tx: IDBTransaction, op: WaitingOp): Promise<WaitingOp> {
  const numbered = { ...op, seq: await nextSeq(tx, op.owner) }
  tx.objectStore('ops').put(numbered)
  return numbered
}
