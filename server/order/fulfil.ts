import { returnCoupon } from '#server/coupon/store.ts'
import type { Tx } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import { FOR_GOOD, readEnds, revokeGrants, writeGrant } from '#server/rights/store.ts'
import { post } from '#server/wallet/store.ts'
import { isRight } from './goods.ts'
import * as store from './store.ts'

/** The fields that every ledger entry of an order shares. */
export const moneyOf = (
  { uid, id }: Pick<store.Order, 'uid' | 'id'>,
  kind: 'pay' | 'release' | 'refund' | 'sale',
  at: number,
) => ({ uid, kind, order: id, at })

/** The whole sum is held: the order is paid, what is digital is the student's in the same transaction. */
export async function sell(tx: Tx, order: store.Order, now: number): Promise<store.Order> {
  const paid = await store.move(tx, order, 'pay', now, { paid_at: now })
  if (!paid) throw new Error(`order ${order.id} is ${order.state} and cannot be paid`)
  // A payment that was begun on another device can still be paid there, until the job has closed it.
  await store.askSoon(tx, order, now)
  const total = order.wallet + order.due
  await post(tx, { ...moneyOf(order, 'sale', now), tx: `${order.id}_sale`, entries: { held: -total, sales: total } })
  const lines = await store.readLines(tx, order.uid, order.id)
  await store.countSold(tx, store.copiesOf(lines), 1)
  for (const { at, kind, no, days, until, quantity, uid } of lines)
    if (kind !== 'book' && kind !== 'library')
      await writeGrant(tx, {
        uid,
        kind,
        no,
        at: now,
        until,
        source: sourceOf(order.id, at),
        days: days === null ? null : days * quantity,
      })
  return (await store.move(tx, paid, 'deliver', now, { completed_at: now })) ?? paid
}
const sourceOf = (order: string, at: number): string => `${order}_${at}`

/** Returns the title of something in the order that the student already has for as long as it would last; null if there is none. */
export async function ownedOf(tx: Tx, { uid, id }: store.Order, now: number): Promise<string | null> {
  const lasting = (await store.readLines(tx, uid, id)).flatMap(({ kind, no, title, days, until }) =>
    isRight(kind) && days === null ? [{ kind, no, title, until: until ?? FOR_GOOD }] : [],
  )
  if (lasting.length === 0) return null
  const ends = await readEnds(tx, uid, lasting, now)
  const owned = lasting.find((line) =>
    ends.some((has) => has.kind === line.kind && has.no === line.no && has.until >= line.until),
  )
  return owned?.title ?? null
}

/** Ends an order that was not paid: all that it took goes back. Null: it is not one of these any more. */
export async function end(
  tx: Tx,
  order: store.Order,
  event: 'cancel' | 'expire',
  now: number,
): Promise<store.Order | null> {
  const ended = await store.move(tx, order, event, now, { cancelled_at: now })
  if (!ended) return null
  await store.giveStock(tx, store.copiesOf(await store.readLines(tx, order.uid, order.id)))
  await returnCoupon(tx, order.uid, order.id)
  const { wallet } = order
  await post(tx, { ...moneyOf(order, 'release', now), tx: `${order.id}_release`, entries: { held: -wallet, wallet } })
  return ended
}

/**
 * 同意退款: rights end, money goes back, of the wallet at once and of a provider by the job that speaks with it. `restock`: the
 * books are in the shop, or have come back.
 */
export async function giveBack(tx: Tx, order: store.Order, restock: boolean, now: number): Promise<store.Order> {
  if (order.state !== 'refunding' || order.refund_approved_at !== null) throw new Refusal('该订单的退款已经办理')
  const approved = { ...order, refund_approved_at: now }
  await tx
    .updateTable('orders')
    .set({ refund_approved_at: now })
    .where('uid', '=', order.uid)
    .where('id', '=', order.id)
    .execute()
  const payments = (await store.readPayments(tx, order.uid, order.id)).filter(({ state }) => state === 'paid')
  const total = order.wallet + order.due
  // The rest came from the wallet, since no provider took it.
  const outside = payments.filter(({ refund_state }) => refund_state === null)
  const due = outside.reduce((sum, { amount }) => sum + amount, 0)
  await post(tx, {
    ...moneyOf(order, 'refund', now),
    tx: `${order.id}_return`,
    entries: { sales: -total, held: due, wallet: total - due },
  })
  for (const { id, amount } of outside) await store.owe(tx, id, amount, now)
  const lines = await store.readLines(tx, order.uid, order.id)
  const copies = store.copiesOf(lines)
  if (restock) await store.giveStock(tx, copies)
  await store.countSold(tx, copies, -1)
  await revokeGrants(
    tx,
    order.uid,
    lines.map(({ at }) => sourceOf(order.id, at)),
    now,
  )
  return outside.length > 0
    ? approved
    : ((await store.move(tx, approved, 'refund', now, { refunded_at: now })) ?? approved)
}
