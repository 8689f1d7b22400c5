import type { Change, Verdict } from '#src/contract/study.ts'
import { SYNC_MAX_BYTES, SYNC_MAX_OPS } from '#src/contract/sync.ts'
import { type Database, done } from './idb.ts'
import { ALL, cursorOf, opById, refold, stateRow, type WaitingOp } from './rows.ts'

/** The half of the record that sending needs, apart because the service worker carries nothing else. */
export function createOutbox(db: Database) {
  /** Ops to send now, oldest first, within the call's limits. */
  const batch = (owner: string, maxOps: number = SYNC_MAX_OPS): Promise<WaitingOp[]> =>
    db.run(['ops'], 'readonly', async (tx) => {
      const picked: WaitingOp[] = []
      let bytes = 0
      for (let after = 0; ;) {
        const range = IDBKeyRange.bound([owner, after], [owner, []], true)
        const page: WaitingOp[] = await done(tx.objectStore('ops').getAll(range, SYNC_MAX_OPS))
        for (const op of page) {
          if (op.parked || op.acked || !isWhole(op)) continue
          bytes += JSON.stringify(op).length
          if (picked.length >= maxOps || (picked.length > 0 && bytes > SYNC_MAX_BYTES)) return picked
          picked.push(op)
        }
        if (page.length < SYNC_MAX_OPS) return picked
        after = page.at(-1)?.seq ?? after
      }
    })

  /**
   * Takes one answer of `study/sync`: the server's states become the base, ops it has answered for leave, and what still
   * waits is folded in again. One transaction, so a screen never sees one without the other. Returns the questions touched.
   */
  const settle = (
    owner: string,
    answer: { verdicts: readonly Verdict[]; changes: readonly Change[]; cursor: number; more: boolean },
    now: number,
  ): Promise<string[]> =>
    db.run([...ALL], 'readwrite', async (tx) => {
      const touched = new Set<string>()
      const ops = await Promise.all(answer.verdicts.map(({ opId }) => opById(tx, opId)))
      for (const [i, verdict] of answer.verdicts.entries()) {
        const op = ops[i]
        if (op?.owner === owner) settleOp(tx, op, verdict, now, touched)
      }
      // Another tab's answer has overtaken this one: these states, and the effects of these ops, are in `base` already.
      const overtaken = answer.cursor < (await cursorOf(tx, owner))
      const rebase = async ({ state }: Change) => {
        const row = await stateRow(tx, owner, state.questionNo)
        tx.objectStore('states').put({ ...row, base: state })
        touched.add(state.questionNo)
      }
      if (!overtaken) await Promise.all(answer.changes.map(rebase))
      const named = new Set(answer.verdicts.map((each) => each.opId))
      // A state holds the effect of every op acknowledged so far; after the last page every effect has come.
      const ripe = overtaken
        ? (op: WaitingOp) => !answer.more && named.has(op.opId)
        : (op: WaitingOp) => !answer.more || touched.has(op.payload.questionNo)
      await dropAcked(tx, owner, now, touched, ripe)
      await refold(tx, owner, touched)
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

function settleOp(tx: IDBTransaction, op: WaitingOp, verdict: Verdict, now: number, touched: Set<string>): void {
  const ops = tx.objectStore('ops')
  switch (verdict.verdict) {
    case 'applied':
    case 'duplicate':
      // Stays folded until the page of changes that holds its effect; dropAcked then takes it away.
      ops.put({ ...op, acked: 1 })
      break
    case 'rejected':
      ops.delete([op.owner, op.seq])
      tx.objectStore('dead').put({ ...op, code: verdict.code, msg: verdict.msg, diedAt: now })
      touched.add(op.payload.questionNo)
      break
    case 'unsupported':
      ops.put({ ...op, parked: true })
      break
    case 'retry':
      break
    default:
      verdict satisfies never
  }
}

const RECEIPTS_MS = 30 * 86_400_000

/** Acknowledged ops whose effect is in `base` now become receipts. */
async function dropAcked(
  tx: IDBTransaction,
  owner: string,
  now: number,
  touched: Set<string>,
  ripe: (op: WaitingOp) => boolean,
): Promise<void> {
  const receipts = tx.objectStore('receipts')
  const acked: WaitingOp[] = await done(tx.objectStore('ops').index('acked').getAll([owner, 1]))
  for (const op of acked.filter(ripe)) {
    tx.objectStore('ops').delete([owner, op.seq])
    receipts.put({ opId: op.opId, owner, seq: op.seq, at: now })
    touched.add(op.payload.questionNo)
  }
  for (const key of await done(receipts.index('at').getAllKeys(IDBKeyRange.upperBound(now - RECEIPTS_MS))))
    receipts.delete(key)
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
