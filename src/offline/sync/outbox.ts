import type { OpRecord } from '#src/contract/study.ts'
import { SYNC_MAX_BYTES, SYNC_MAX_OPS } from '#src/contract/sync.ts'
import { type Database, done } from '../device/idb.ts'
import { cursorOf, type WaitingOp } from '../device/rows.ts'
import { type Clock, readClock } from '../device/steadyClock.ts'

/** By which calls are limited. */
export const bytesOf = (op: WaitingOp): number => JSON.stringify(op).length

/** The half of the record that sending needs, apart because the service worker carries nothing else. */
export const createOutbox = (db: Database) => ({
  /** Ops to send now, oldest first from behind `after` on, within the call's limits. */
  batch: (owner: string, maxOps: number = SYNC_MAX_OPS, after = 0): Promise<WaitingOp[]> =>
    db.run(['ops'], 'readonly', async (tx) => {
      const picked: WaitingOp[] = []
      let bytes = 0
      for (let from = after; ;) {
        const range = IDBKeyRange.bound([owner, from], [owner, []], true)
        const page: WaitingOp[] = await done(tx.objectStore('ops').getAll(range, SYNC_MAX_OPS))
        for (const op of page) {
          if (op.parked || op.acked || !isWhole(op)) continue
          bytes += bytesOf(op)
          if (picked.length >= maxOps || (picked.length > 0 && bytes > SYNC_MAX_BYTES)) return picked
          picked.push(op)
        }
        if (page.length < SYNC_MAX_OPS) return picked
        from = page.at(-1)?.seq ?? from
      }
    }),
  /** The server has these, but its word on their effect is still to be taken in: not sent again, still folded. */
  delivered: (owner: string, sent: readonly WaitingOp[], opIds: ReadonlySet<string>): Promise<void> =>
    db.run(['ops'], 'readwrite', async (tx) => {
      const here = await sideBySide(tx, owner, sent)
      for (const op of here.values()) if (opIds.has(op.opId)) tx.objectStore('ops').put({ ...op, acked: 1 })
    }),
  /** It measures a call, so that the server knows how long ago something was done. */
  clock: (): Promise<Clock> => db.run(['meta'], 'readonly', readClock),
  cursor: (owner: string): Promise<number> => db.run(['meta'], 'readonly', (tx) => cursorOf(tx, owner)),
  /** This installation; null before a page has named it. */
  device: (): Promise<string | null> =>
    db.run(['meta'], 'readonly', async (tx) => {
      const known: string | undefined = await done(tx.objectStore('meta').get('device'))
      return known ?? null
    }),
})

/** What was sent, as it is on this device now, by op id: what another tab has settled is gone. */
export async function sideBySide(
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

/** Those side by side in one request: one by one they cost as much as everything else. */
export function dropOps(tx: IDBTransaction, owner: string, seqs: readonly number[]): void {
  const sorted = [...seqs].sort((a, b) => a - b)
  let first = 0
  for (const [i, seq] of sorted.entries()) {
    if (sorted[i + 1] === seq + 1) continue
    tx.objectStore('ops').delete(IDBKeyRange.bound([owner, sorted[first]], [owner, seq]))
    first = i + 1
  }
}

/** What travels: the record as it was first made. */
export const onWire = ({ opId, seq, stream, kind, v, payload, ctx, clientAt, measured }: WaitingOp): OpRecord => ({
  opId,
  seq,
  stream,
  kind,
  v,
  payload,
  ctx,
  clientAt,
  ...(measured && { measured }),
})

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
    typeof payload === 'object' &&
    (!String(stream).startsWith('q:') || typeof field(payload, 'questionNo') === 'string')
  )
}
export const field = (of: unknown, key: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, key) : undefined
