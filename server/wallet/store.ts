import { sql } from 'kysely'
import type { WalletRecord } from '#src/contract/wallet.ts'
import { dayOf, startOf } from '#src/domain/time/day.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { ProviderName } from '#server/db/saleTables.ts'

/** `wallet` is the student's, `held` what we hold of theirs for an order, `sales` ours, `outside:…` a provider's. */
export type Account = 'wallet' | 'held' | 'sales' | `outside:${ProviderName}`
export type PostingKind = 'topUp' | 'pay' | 'release' | 'refund' | 'payOut' | 'sale'

/** One act of money. `tx` names it for good: what was posted once cannot be posted again. */
export interface Posting {
  uid: string
  tx: string
  kind: PostingKind
  order: string | null
  /** Epoch ms. */
  at: number
  /** Fen that come to an account, or with a minus go from it; together they come to nothing. */
  entries: Partial<Record<Account, number>>
}

/**
 * Takes the lock on all money of this student until the transaction ends. One statement: an account that closes meanwhile takes
 * its empty wallet along. @returns the balance, fen
 */
export async function lockWallet(tx: Tx, uid: string): Promise<number> {
  const { balance } = await tx
    .insertInto('wallet')
    .values({ uid })
    .onConflict((c) => c.column('uid').doUpdateSet((eb) => ({ uid: eb.ref('excluded.uid') })))
    .returning('balance')
    .executeTakeFirstOrThrow()
  return balance
}

export async function readBalance(db: Db | Tx, uid: string): Promise<number> {
  const row = await db.selectFrom('wallet').select('balance').where('uid', '=', uid).executeTakeFirst()
  return row?.balance ?? 0
}

/** What keeps a student with money in the wallet from leaving it, in words. */
export async function openBalance(tx: Tx, uid: string): Promise<string[]> {
  const balance = await readBalance(tx, uid)
  return balance > 0 ? [`钱包里还有 ${(balance / 100).toFixed(2)} 元，请先用完，或联系客服退还`] : []
}

/** Of a wallet that never held anything; entries and what they come to stay. */
export async function dropEmptyWallet(tx: Tx, uid: string): Promise<void> {
  await sql`delete from wallet w where uid = ${uid} and not exists (select from ledger_entry e where e.uid = w.uid)`.execute(
    tx,
  )
}

/** The database refuses what is not balanced, was posted before, or would take a wallet below nothing (migration 0027). */
export async function post(tx: Tx, { uid, tx: name, kind, order, at, entries }: Posting): Promise<void> {
  const rows = Object.entries(entries).flatMap(([account, amount]) =>
    amount === 0 ? [] : [{ uid, tx: name, account, amount, kind, order_id: order, at }],
  )
  if (rows.length > 0) await tx.insertInto('ledger_entry').values(rows).execute()
}

/** The first moment of a month in Beijing, and of the next, epoch ms. */
function monthBounds(month: string): { from: number; to: number } {
  const [year = 0, index = 1] = month.split('-').map(Number)
  const day = (at: number) => startOf(dayOf(at + NOON_MS))
  return { from: day(Date.UTC(year, index - 1, 1)), to: day(Date.UTC(year, index, 1)) }
}
const NOON_MS = 43_200_000
const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER }

export interface Records {
  /** Fen, of all that is asked for. */
  came: number
  went: number
  records: WalletRecord[]
}
/** What came to and went from a wallet in a month, or ever, the newest first. @param cursor the last one that was seen, by its number */
export async function readRecords(
  db: Db,
  uid: string,
  month: string | undefined,
  cursor: string | undefined,
  limit: number,
): Promise<Records> {
  const { from, to } = month === undefined ? EVER : monthBounds(month)
  const own = sql`e.uid = ${uid} and e.account = 'wallet' and e.at >= ${from} and e.at < ${to}`
  const { rows: sums } = await sql<{ came: number; went: number }>`
    select coalesce(sum(e.amount) filter (where e.amount > 0), 0)::bigint as came,
      coalesce(-sum(e.amount) filter (where e.amount < 0), 0)::bigint as went from ledger_entry e where ${own}`.execute(
    db,
  )
  const { rows: records } = await sql<WalletRecord>`
    select e.tx as id, e.kind, e.at, e.amount, e.balance, e.order_id as "order",
      (select json_build_object('title', (array_agg(l.title order by l.at))[1], 'quantity', sum(l.quantity))
        from order_line l where l.uid = e.uid and l.order_id = e.order_id having count(*) > 0) as goods
    from ledger_entry e where ${own}
      and ${cursor === undefined ? sql`true` : sql`e.seq < (select b.seq from ledger_entry b where b.uid = ${uid} and b.tx = ${cursor} and b.account = 'wallet')`}
    order by e.seq desc limit ${limit}`.execute(db)
  return { came: 0, went: 0, ...sums[0], records }
}
