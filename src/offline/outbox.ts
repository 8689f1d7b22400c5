import type { Change, Verdict } from '#src/contract/study.ts'
import { SYNC_MAX_BYTES, SYNC_MAX_OPS } from '#src/contract/sync.ts'
import { type Database, done, StorageError } from './idb.ts'
import { ALL, cursorOf, type Receipt, refold, type WaitingOp } from './rows.ts'

/** One answer of `study/sync`, as far as it is kept. */
export interface Answered {
  verdicts: readonly Verdict[]
  changes: readonly Change[]
  cursor: number
  more: boolean
}

/** The half of the record that sending needs, apart because the service worker carries nothing else. */
export function createOutbox(db: Database) {
  /** Ops to send now, oldest first from behind `after` on, within the call's limits. */
  const batch = (owner: string, maxOps: number = SYNC_MAX_OPS, after = 0): Promise<WaitingOp[]> =>
    db.run(['ops'], 'readonly', async (tx) => {
      const picked: WaitingOp[] = []
      let bytes = 0
      for (let from = after; ;) {
        const range = IDBKeyRange.bound([owner, from], [owner, []], true)
        const page: WaitingOp[] = await done(tx.objectStore('ops').getAll(range, SYNC_MAX_OPS))
        for (const op of page) {
          if (op.parked || op.acked || !isWhole(op)) continue
          bytes += JSON.stringify(op).length
          if (picked.length >= maxOps || (picked.length > 0 && bytes > SYNC_MAX_BYTES)) return picked
          picked.push(op)
        }
        if (page.length < SYNC_MAX_OPS) return picked
        from = page.at(-1)?.seq ?? from
      }
    })

  /**
   * Takes one answer of `study/sync`: the server's states become the base, ops it has answered for leave, and what still
   * waits is folded in again. One transaction, so a screen never sees one without the other. Returns the questions touched.
   * @param sent the ops and the cursor that it answers.
   * @throws StorageError when what came before it is not here any more: its changes would leave a hole.
   */
  const settle = (
    owner: string,
    sent: { ops: readonly WaitingOp[]; cursor: number },
    answer: Answered,
    now: number,
  ): Promise<string[]> =>
    db.run([...ALL], 'readwrite', async (tx) => {
      const [cursor, ops, acked] = await Promise.all([
        cursorOf(tx, owner),
        stillHere(tx, owner, sent.ops),
        done<WaitingOp[]>(tx.objectStore('ops').index('acked').getAll([owner, 1])),
      ])
      if (sent.cursor > cursor) throw new StorageError('unavailable')
      // Another tab's answer has overtaken this one: these states, and the effects of these ops, are in `base` already.
      const overtaken = answer.cursor < cursor
      const bases = new Map(overtaken ? [] : answer.changes.map(({ state }) => [state.questionNo, state]))
      // A state holds the effect of every op acknowledged so far; after the last page every effect has come.
      const ripe = (op: WaitingOp): boolean =>
        overtaken ? !answer.more && ops.has(op.opId) : !answer.more || bases.has(op.payload.questionNo)
      const touched = new Set(bases.keys())
      const leaving = new Map(acked.filter(ripe).map((op) => [op.seq, op]))
      for (const verdict of answer.verdicts) {
        const op = ops.get(verdict.opId)
        if (op && judge(tx, op, verdict, ripe, now, touched)) leaving.set(op.seq, op)
      }
      drop(tx, owner, [...leaving.keys()])
      keepReceipt(tx, owner, [...leaving.values()], now)
      for (const { payload } of leaving.values()) touched.add(payload.questionNo)
      await refold(tx, owner, touched, bases)
      if (!overtaken) tx.objectStore('meta').put(answer.cursor, `cursor:${owner}`)
      return [...touched]
    })

  return {
    batch,
    settle,
    cursor: (owner: string): Promise<number> => db.run(['meta'], 'readonly', (tx) => cursorOf(tx, owner)),
    /** This installation; null before a page has named it. */
    device: (): Promise<string | null> =>
      db.run(['meta'], 'readonly', async (tx) => {
        const known: string | undefined = await done(tx.objectStore('meta').get('device'))
        return known ?? null
      }),
  }
}
export type Outbox = Omit<ReturnType<typeof createOutbox>, 'device'>

/** What was sent, as it is on this device now, by op id: what another tab has settled is gone. */
async function stillHere(
  tx: IDBTransaction,
  owner: string,
  sent: readonly WaitingOp[],
): Promise<Map<string, WaitingOp>> {
  const [first, last] = [sent.at(0), sent.at(-1)]
  if (!first || !last) return new Map()
  // They lie side by side, but for parked ones between them, and reading one by one is what takes the time.
  const range = IDBKeyRange.bound([owner, first.seq], [owner, last.seq])
  const ops: WaitingOp[] = await done(tx.objectStore('ops').getAll(range))
  return new Map(ops.map((op) => [op.opId, op]))
}

/** What the server's word makes of an op. True: its effect is in `base` now, and it leaves. */
function judge(
  tx: IDBTransaction,
  op: WaitingOp,
  verdict: Verdict,
  ripe: (op: WaitingOp) => boolean,
  now: number,
  touched: Set<string>,
): boolean {
  const ops = tx.objectStore('ops')
  switch (verdict.verdict) {
    case 'applied':
    case 'duplicate':
      if (ripe(op)) return true
      // Stays folded until the page of changes that holds its effect.
      ops.put({ ...op, acked: 1 })
      return false
    case 'rejected':
      drop(tx, op.owner, [op.seq])
      tx.objectStore('dead').put({ ...op, code: verdict.code, msg: verdict.msg, diedAt: now })
      touched.add(op.payload.questionNo)
      return false
    case 'unsupported':
      ops.put({ ...op, parked: true })
      return false
    case 'retry':
      return false
  }
}

/** Those side by side in one request: one by one they cost as much as everything else. */
function drop(tx: IDBTransaction, owner: string, seqs: readonly number[]): void {
  const sorted = [...seqs].sort((a, b) => a - b)
  let first = 0
  for (const [i, seq] of sorted.entries()) {
    if (sorted[i + 1] === seq + 1) continue
    tx.objectStore('ops').delete(IDBKeyRange.bound([owner, sorted[first]], [owner, seq]))
    first = i + 1
  }
}

function keepReceipt(tx: IDBTransaction, owner: string, ops: readonly WaitingOp[], now: number): void {
  const [opId, ...others] = ops.map((op) => op.opId)
  if (opId === undefined) return
  const receipt: Receipt = { opId, others, owner, at: now }
  tx.objectStore('receipts').put(receipt)
}

/** The last moment that a Date can hold. */
const LAST_MS = 8_640_000_000_000_000

/** As contract/study.ts has it. A call with a row that is not whole is refused as a whole, so none must ever be sent. */
export function isWhole(op: { [field in keyof WaitingOp]?: unknown }): boolean {
  const { opId, seq, stream, kind, v, payload, ctx, clientAt } = op
  const atLeast = (value: unknown, least: number) => Number.isSafeInteger(value) && Number(value) >= least
  const text = (value: unknown, most: number) => typeof value === 'string' && value !== '' && value.length <= most
  const keys = ['sg_key', 'area', 'key'].map((key) => field(ctx, key))
  return (
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(String(opId)) &&
    [
      text(stream, 100),
      text(kind, 40),
      atLeast(v, 1),
      atLeast(seq, 1),
      atLeast(clientAt, 0),
      Number(clientAt) <= LAST_MS,
    ].every(Boolean) &&
    keys.every((key) => typeof key === 'string' && /^\w{0,32}$/.test(key)) &&
    typeof field(payload, 'questionNo') === 'string'
  )
}
export const field = (of: unknown, key: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, key) : undefined
