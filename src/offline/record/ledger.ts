import { dayOf, startOf } from '#src/domain/time/day.ts'
import { type Database, done } from '../device/idb.ts'
import { ANONYMOUS } from '../device/names.ts'
import { type Counters, type DeadOp, ofOwner, type Receipt, type ThingRow, type WaitingOp } from '../device/rows.ts'

/** Where everything that a student did is now. */
export interface Ledger {
  /** Not answered for yet, or (`acked`) delivered and not yet in the account's figures. */
  waiting: WaitingOp[]
  refused: DeadOp[]
  /** Days of Asia/Shanghai on which questions were answered, the newest first. */
  days: { day: number; answered: number; booked: number }[]
  /** The day of Asia/Shanghai that this was asked on, by the server's clock. */
  today: number
  /** Ops of every kind that the account took today, on this device's word. */
  bookedToday: number
  /** Epoch ms; null when this device has no receipt any more. */
  lastBookedAt: number | null
}
/** What a visitor did on this device and belongs to no account yet. */
export interface VisitorRecord {
  /** Ops of every kind. */
  waiting: number
  answers: number
  /** Questions collected, and questions with notes. */
  collected: number
  noted: number
}

const DAYS = 7

export const createLedger = (db: Database) => ({
  /** @param skewMs by how much the server's clock is ahead of `now`: days are the server's, receipts have the device's time. */
  ledger: (owner: string, now: number, skewMs = 0): Promise<Ledger> =>
    db.run(['ops', 'dead', 'receipts', 'things'], 'readonly', async (tx) => {
      const today = dayOf(now + skewMs)
      const [waiting, refused, days, receipts, lastBookedAt] = await Promise.all([
        done<WaitingOp[]>(tx.objectStore('ops').getAll(ofOwner(owner))),
        done<DeadOp[]>(tx.objectStore('dead').index('owner').getAll(owner)),
        daysOf(tx, owner, today),
        done<Receipt[]>(
          tx
            .objectStore('receipts')
            .index('at')
            .getAll(IDBKeyRange.lowerBound(startOf(today) - skewMs)),
        ),
        lastReceipt(tx, owner),
      ])
      const bookedToday = receipts
        .filter((receipt) => receipt.owner === owner)
        .reduce((sum, { others = [] }) => sum + 1 + others.length, 0)
      return { waiting, refused, days, today, bookedToday, lastBookedAt }
    }),
  visitor: (): Promise<VisitorRecord> =>
    db.run(['ops', 'sums'], 'readonly', async (tx) => {
      const [waiting, counters] = await Promise.all([
        done(tx.objectStore('ops').count(ofOwner(ANONYMOUS))),
        done<Counters[]>(tx.objectStore('sums').getAll(ofOwner(ANONYMOUS))),
      ])
      const sum = (name: string) => counters.reduce((all, { sums }) => all + (sums[name] ?? 0), 0)
      return { waiting, answers: sum('answered'), collected: sum('collected'), noted: sum('noted') }
    }),
})

async function daysOf(tx: IDBTransaction, owner: string, today: number): Promise<Ledger['days']> {
  // Numbers of days have had five digits since 1997, so their order as texts is theirs.
  const range = IDBKeyRange.bound([owner, 'day', String(today - DAYS + 1)], [owner, 'day', String(today)])
  const rows: ThingRow[] = await done(tx.objectStore('things').getAll(range))
  return rows
    .map(({ id, base, pending }) => {
      const told = base?.kind === 'day' ? base.body.answered : 0
      const answered = Math.max(0, told + (pending?.answered ?? 0))
      // What is taken back and not sent yet is still in the account, but no longer the student's.
      return { day: Number(id), answered, booked: Math.min(told, answered) }
    })
    .filter(({ answered }) => answered > 0)
    .reverse()
}

function lastReceipt(tx: IDBTransaction, owner: string): Promise<number | null> {
  const request = tx.objectStore('receipts').index('at').openCursor(null, 'prev')
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const cursor = request.result
      if (!cursor) return resolve(null)
      const receipt: Receipt = cursor.value
      if (receipt.owner === owner) resolve(receipt.at)
      else cursor.continue()
    }
  })
}
