import type { Change, ThingChange, Verdict } from '#src/contract/study.ts'
import { type Database, done, StorageError } from '../device/idb.ts'
import { createFilling } from '../record/filling.ts'
import { putDays, refold, type Said } from '../record/write/fold.ts'
import { refoldThings, touchedBy } from '../record/write/foldThings.ts'
import { dropOps, sideBySide } from './outbox.ts'
import { hear, type Reading } from '../device/steadyClock.ts'
import { ALL, cursorOf, isQuestionOp, type Receipt, type WaitingOp } from '../device/rows.ts'

/** One answer of `study/sync`, as far as it is kept. */
export interface Answered {
  verdicts: readonly Verdict[]
  changes: readonly Change[]
  cursor: number
  more: boolean
  /** It counts the changes that come after these; left out where nobody has counted them. */
  left?: number
  /** Left out by an answer that the device has made itself. */
  serverNow?: number
}

export function createSettle(db: Database) {
  const filling = createFilling()
  return {
    /**
     * Takes one answer of `study/sync`: the server's word becomes the base, ops it has answered for leave, and what still
     * waits is folded in again. One transaction, so a screen never sees one without the other. Returns what was touched:
     * numbers of questions, and kinds of things.
     * @param sent the ops and the cursor that it answers.
     * @throws StorageError when what came before it is not here any more: its changes would leave a hole.
     */
    settle: async (owner: string, sent: Sent, answer: Answered, reading: Reading): Promise<string[]> => {
      const take = (tx: IDBTransaction) => takeIn({ tx, owner, filling }, sent, answer, reading)
      const touched = await db.run([...ALL], 'readwrite', take)
      filling.took(owner, sent.cursor, answer)
      return touched
    },
  }
}

interface Sent {
  ops: readonly WaitingOp[]
  cursor: number
}
interface Taking {
  tx: IDBTransaction
  owner: string
  filling: ReturnType<typeof createFilling>
}

async function takeIn(
  { tx, owner, filling }: Taking,
  sent: Sent,
  answer: Answered,
  reading: Reading,
): Promise<string[]> {
  const [cursor, ops, acked, isNew] = await Promise.all([
    cursorOf(tx, owner),
    sideBySide(tx, owner, sent.ops),
    done<WaitingOp[]>(tx.objectStore('ops').index('acked').getAll([owner, 1])),
    filling.look(tx, owner, sent.cursor),
  ])
  if (sent.cursor > cursor) throw new StorageError('unavailable')
  // Another tab's answer has overtaken this one: these states, and the effects of these ops, are in `base` already.
  const overtaken = answer.cursor < cursor
  const changes = overtaken ? [] : answer.changes
  const bases = new Map(changes.flatMap((each) => (each.kind === 'state' ? [[each.state.questionNo, each.state]] : [])))
  const things = changes.flatMap((each) => (each.kind === 'state' ? [] : [each]))
  // A state holds the effect of every op acknowledged so far; after the last page every effect has come.
  const ripe = (op: WaitingOp): boolean =>
    overtaken
      ? !answer.more && ops.has(op.opId)
      : !answer.more || (isQuestionOp(op) && bases.has(op.payload.questionNo))
  const leaving = new Map(acked.filter(ripe).map((op) => [op.seq, op]))
  const refused: WaitingOp[] = []
  for (const verdict of answer.verdicts) {
    const op = ops.get(verdict.opId)
    if (!op) continue
    const fate = judge(tx, op, verdict, ripe, reading.wall)
    if (fate === 'leaves') leaving.set(op.seq, op)
    if (fate === 'refused') refused.push(op)
  }
  dropOps(tx, owner, [...leaving.keys()])
  keepReceipt(tx, owner, [...leaving.values()], reading.wall)
  await fold(tx, owner, [...leaving.values(), ...refused], { bases, things, isNew })
  if (answer.serverNow !== undefined) await hear(tx, answer.serverNow, reading)
  if (!overtaken) tx.objectStore('meta').put(answer.cursor, `cursor:${owner}`)
  return [
    ...new Set([
      ...bases.keys(),
      ...things.map(({ kind }) => kind),
      ...[...leaving.values(), ...refused].map(touchedBy),
    ]),
  ]
}

/** @param gone ops that wait no more, whichever way. */
async function fold(
  tx: IDBTransaction,
  owner: string,
  gone: readonly WaitingOp[],
  { bases, things, isNew }: Said & { things: readonly ThingChange[] },
): Promise<void> {
  const questions = new Set(gone.filter(isQuestionOp).map((op) => op.payload.questionNo))
  for (const no of bases.keys()) questions.add(no)
  const days = things.filter(({ kind }) => kind === 'day')
  const others = things.filter(({ kind }) => kind !== 'day')
  // Among them is how the student remembers, and what waits is folded by it.
  await refoldThings(tx, owner, gone, others)
  await Promise.all([refold(tx, owner, questions, { bases, isNew }), putDays(tx, owner, { left: gone }, days)])
}

/** What the server's word makes of an op. `leaves`: its effect is in `base` now. */
function judge(
  tx: IDBTransaction,
  op: WaitingOp,
  verdict: Verdict,
  ripe: (op: WaitingOp) => boolean,
  now: number,
): 'leaves' | 'stays' | 'refused' {
  const ops = tx.objectStore('ops')
  switch (verdict.verdict) {
    case 'applied':
    case 'duplicate':
      if (ripe(op)) return 'leaves'
      // Stays folded until the page of changes that holds its effect.
      ops.put({ ...op, acked: 1 })
      return 'stays'
    case 'rejected':
      dropOps(tx, op.owner, [op.seq])
      tx.objectStore('dead').put({ ...op, ...reasonOf(verdict), diedAt: now })
      return 'refused'
    case 'unsupported':
      ops.put({ ...op, parked: true })
      return 'stays'
    case 'retry':
      return 'stays'
  }
}

const reasonOf = ({ code, msg, missing }: Extract<Verdict, { verdict: 'rejected' }>) => ({
  code,
  msg,
  ...(missing && { missing }),
})

function keepReceipt(tx: IDBTransaction, owner: string, ops: readonly WaitingOp[], now: number): void {
  const [opId, ...others] = ops.map((op) => op.opId)
  if (opId === undefined) return
  const receipt: Receipt = { opId, others, owner, at: now }
  tx.objectStore('receipts').put(receipt)
}
