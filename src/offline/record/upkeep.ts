import { v7 as uuidv7 } from 'uuid'
import { type Database, done } from '../device/idb.ts'
import { field, isWhole } from '../sync/outbox.ts'
import { foldMoved } from './write/foldThings.ts'
import { freeSpare } from './unusedFiles.ts'
import { takeApart } from './sums.ts'
import { type DeadOp, FOLD, refoldKey, type WaitingOp } from '../device/rows.ts'

const DAY_MS = 86_400_000
/** Receipts only keep a rescue file from bringing back what the server has: it would know a repeat all the same. */
const RECEIPTS_MS = 30 * DAY_MS
const RECEIPTS = 2_000
/** Never sent, so nobody else has it. */
const DAMAGED = 'damaged'
/** Of a refused answer, from when the student has read why. */
const DEAD_MS = 90 * DAY_MS
/** Rows in one go: a page must not stand still while thousands are read or dropped. */
const AT_ONCE = 500

/** What keeps the record readable, and from growing for ever. */
export const createUpkeep = (db: Database) => ({
  /**
   * At the start: ops that a server did not know are tried again, and rows that nobody can read any more are set aside. After an
   * upgrade of the database, which keeps ops and nothing that is made of them, they are folded anew.
   */
  tend: (owner: string, now: number): Promise<void> =>
    db.run([...FOLD, 'dead', 'meta'], 'readwrite', async (tx) => {
      const anew = await done(tx.objectStore('meta').get(refoldKey(owner)))
      tx.objectStore('meta').delete(refoldKey(owner))
      for (let page: WaitingOp[] = [], after = 0; ; after = page.at(-1)?.seq ?? after) {
        const range = IDBKeyRange.bound([owner, after], [owner, []], true)
        page = await done(tx.objectStore('ops').getAll(range, AT_ONCE))
        for (const op of page)
          if (!isWhole(op)) {
            const left = setAside(tx, op, now)
            if (!anew) await foldMoved(tx, owner, { left: [left] })
          } else if (op.parked) tx.objectStore('ops').put({ ...op, parked: false })
        if (anew) await foldMoved(tx, owner, { added: page.filter(isWhole) })
        if (page.length < AT_ONCE) return
      }
    }),
  /** These refusals have been shown; only from now on do their days count. */
  seen: (opIds: readonly string[], now: number): Promise<void> =>
    db.run(['dead'], 'readwrite', async (tx) => {
      const dead = tx.objectStore('dead')
      const rows = await Promise.all(opIds.map((opId) => done<DeadOp | undefined>(dead.get(opId))))
      for (const row of rows) if (row && row.seenAt === undefined) dead.put({ ...row, seenAt: now })
    }),
  /** Drops what has served its time: never what has not been sent, or what the student has not seen. */
  purge: async (owner: string, now: number): Promise<void> => {
    await db.run(['dead'], 'readwrite', (tx) => dropSeen(tx, owner, now - DEAD_MS))
    await freeSpare(db, owner)
    while (await db.run(['sums', 'meta'], 'readwrite', (tx) => takeApart(tx, owner)));
    while (await db.run(['receipts'], 'readwrite', (tx) => dropReceipts(tx, now - RECEIPTS_MS)));
  },
})

async function dropSeen(tx: IDBTransaction, owner: string, before: number): Promise<void> {
  const rows: DeadOp[] = await done(tx.objectStore('dead').index('owner').getAll(owner))
  for (const { opId, seenAt, code } of rows)
    if (code !== DAMAGED && seenAt !== undefined && seenAt < before) tx.objectStore('dead').delete(opId)
}

/** The oldest first, those older than `before` and those beyond the number kept. True: there are more. */
async function dropReceipts(tx: IDBTransaction, before: number): Promise<boolean> {
  const receipts = tx.objectStore('receipts')
  const byAge = receipts.index('at')
  const [count, old] = await Promise.all([
    done(receipts.count()),
    done(byAge.count(IDBKeyRange.upperBound(before, true))),
  ])
  const surplus = Math.max(old, count - RECEIPTS)
  if (surplus <= 0) return false
  for (const key of await done(byAge.getAllKeys(null, Math.min(surplus, AT_ONCE)))) receipts.delete(key)
  return surplus > AT_ONCE
}

/** Kept raw, told to the student, and out of the way of the others. Returns what has left, for taking its effect back. */
function setAside(tx: IDBTransaction, op: WaitingOp, now: number): WaitingOp {
  const raw: Partial<WaitingOp> = op
  const named = field(raw.payload, 'questionNo')
  const questionNo = typeof named === 'string' ? named : ''
  const opId = typeof raw.opId === 'string' ? raw.opId : uuidv7()
  const payload = { ...raw.payload, questionNo }
  tx.objectStore('ops').delete([op.owner, op.seq])
  tx.objectStore('dead').put({ ...op, opId, payload, code: DAMAGED, msg: '这条记录已损坏，无法上传', diedAt: now })
  return { ...op, payload }
}
