import { sql } from 'kysely'
import { logChange } from '#server/config/store.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { lockWallet } from '#server/wallet/store.ts'
import { end, giveBack } from './fulfil.ts'
import { askedFor } from './operator.ts'
import { payOutTo, settleRefund } from './refunds.ts'
import * as store from './store.ts'
import { leftOf, readAtSandbox } from './unreal.ts'

/** This file takes out of the books what students paid at the sandbox before the shop took money. */

const WHY = '试用时的沙箱付款，不是真钱，已作废'

/** Counts the fen that are no money, and the students in whose books they stand. */
export async function countSandboxMoney(db: Db): Promise<{ students: number; sum: number }> {
  const payments = (await readAtSandbox(db)).filter((each) => leftOf(each) > 0)
  return { students: new Set(payments.map(({ uid }) => uid)).size, sum: sumOf(payments) }
}

export interface Voided {
  students: number
  /** Fen. */
  sum: number
  /** Numbers of those that were paid with it, and are given back. */
  orders: string[]
}

/**
 * Voids what was paid at the sandbox, and what was bought with it: orders are given back, rights end, the wallet keeps what was paid
 * with money. All of a student's at once; what was voided is not voided again.
 */
export async function voidSandboxMoney(db: Db, now: number): Promise<Voided> {
  const uids = [...new Set((await readAtSandbox(db)).map(({ uid }) => uid))]
  const voided: Voided = { students: uids.length, sum: 0, orders: [] }
  for (const uid of uids) {
    const { sum, orders } = await db.transaction().execute((tx) => voidOf(tx, uid, now))
    voided.sum += sum
    voided.orders.push(...orders)
  }
  return voided
}

async function voidOf(tx: Tx, uid: string, now: number): Promise<{ sum: number; orders: string[] }> {
  await lockWallet(tx, uid)
  const payments = await readAtSandbox(tx, uid)
  const sum = sumOf(payments)
  for (const payment of payments) await endPayment(tx, payment, now)
  const paid = payments.flatMap(({ order_id, state }) => (state === 'paid' ? (order_id ?? []) : []))
  const orders: string[] = []
  for (const id of paid) if (await recall(tx, uid, id, now)) orders.push(id)

  const topUps = (await readAtSandbox(tx, uid)).filter(({ order_id }) => order_id === null)
  const unreal = sumOf(topUps)
  // We take the sandbox's money to have been spent before the student's own.
  let recalled = 0
  for (const { id, spent } of await ordersFromWallet(tx, uid, topUps)) {
    if (recalled >= unreal) break
    if (!(await recall(tx, uid, id, now))) continue
    orders.push(id)
    recalled += spent
  }
  const { left } = await payOutTo(tx, uid, topUps, unreal, now)
  if (left > 0) throw new Error(`${left} fen of student ${uid} were paid by no top-up`)
  await settleOwed(tx, await readAtSandbox(tx, uid), now)
  await logChange(tx, 'payments', `学生 ${uid} 的沙箱款项 ${(sum / 100).toFixed(2)} 元作废`, now)
  return { sum, orders }
}
const sumOf = (payments: readonly store.Payment[]): number => payments.reduce((sum, each) => sum + leftOf(each), 0)

/** Ends a payment: nobody pays it any more; a sum that was not asked for goes back, as does what was to go back already. */
async function endPayment(tx: Tx, payment: store.Payment, now: number): Promise<void> {
  const { id, uid, state, came, amount } = payment
  if (state === 'open') return store.changePayment(tx, id, { state: 'closed' })
  if (state === 'differs' && !store.isOwed(payment)) await store.owe(tx, id, came ?? amount, now)
  await settleOwed(tx, [await store.lockPayment(tx, { uid, id })], now)
}

/** The sandbox pays nobody back: what is owed to it is settled in the books alone. */
async function settleOwed(tx: Tx, payments: readonly store.Payment[], now: number): Promise<void> {
  for (const payment of payments) if (store.isOwed(payment)) await settleRefund(tx, payment, 'done', now)
}

/** Ends an order and gives back what was paid for it. @returns false: it has ended already */
async function recall(tx: Tx, uid: string, id: string, now: number): Promise<boolean> {
  const order = await store.lockOrder(tx, uid, id)
  if (!order || order.state === 'cancelled' || order.state === 'refunded') return false
  if (order.state === 'pending') return (await end(tx, order, 'cancel', now)) !== null
  if (order.refund_approved_at !== null) return false
  await giveBack(tx, await askedFor(tx, order, WHY, now), order.shipped_at === null, now)
  await settleOwed(
    tx,
    (await store.readPayments(tx, uid, id)).filter(({ provider }) => provider === 'sandbox'),
    now,
  )
  return true
}

/** Finds orders for which the wallet has given something since these top-ups, fen, the oldest first. */
async function ordersFromWallet(
  tx: Tx,
  uid: string,
  topUps: readonly store.Payment[],
): Promise<{ id: string; spent: number }[]> {
  const came = topUps.map(({ id }) => `${id}_in`)
  const { rows } = await sql<{ id: string; spent: number }>`
    select order_id as id, -sum(amount)::bigint as spent from ledger_entry e
      where uid = ${uid} and account = 'wallet' and order_id is not null
      group by order_id having sum(amount) < 0
        and max(seq) > (select min(seq) from ledger_entry where uid = ${uid} and tx = any(${came}))
      order by max(seq)`.execute(tx)
  return rows
}
