import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { OrderDetail, OrderHead, OrderState } from '#src/contract/order.ts'
import { SHOP_EVENTS, type Thing } from '#src/contract/study.ts'
import { afterEvent, type OrderEvent } from '#src/domain/money/order.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { writeRecord } from '#server/study/store.ts'
import { lockWallet } from '#server/wallet/store.ts'

export type Order = Selectable<Tables['orders']>
export type Line = Selectable<Tables['order_line']>
export type Payment = Selectable<Tables['payment']>

/**
 * Takes an order for the rest of the transaction. Whoever moves money of a student holds the student's wallet first, so two acts
 * on one student's money never run at once, nor wait for each other in a circle.
 */
export async function lockOrder(tx: Tx, uid: string, id: string): Promise<Order | null> {
  await lockWallet(tx, uid)
  const row = await tx
    .selectFrom('orders')
    .selectAll()
    .where('uid', '=', uid)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Moves an order on. Null: this cannot happen to it, or has; nothing is written. */
export async function move(
  tx: Tx,
  order: Order,
  event: OrderEvent,
  now: number,
  with_: Updateable<Tables['orders']> = {},
): Promise<Order | null> {
  const state = afterEvent(factsOf(order), event, now)
  if (state === null) return null
  const moved = await tx
    .updateTable('orders')
    .set({ ...with_, state })
    .where('uid', '=', order.uid)
    .where('id', '=', order.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isShops(event)) await tell(tx, moved, event, now)
  return moved
}
type ShopEvent = (typeof SHOP_EVENTS)[number]
const isShops = (event: OrderEvent): event is ShopEvent => SHOP_EVENTS.some((each) => each === event)

/** What the shop did, or had to give back, comes to the student's devices. */
async function tell(tx: Tx, order: Order, event: ShopEvent, now: number): Promise<void> {
  const lines = await readLines(tx, order.uid, order.id)
  // Money that came for an order which had ended; its part from the wallet went back with the end.
  const isLate = order.refund_asked_in === 'cancelled'
  const notes = {
    ship: order.parcel ? `${order.parcel.carrier} ${order.parcel.number}` : '',
    decline: order.refund_declined ?? '',
    refund: isLate ? (order.refund_reason ?? '') : '',
  }
  const body: Thing<'order'> = {
    at: now,
    event,
    title: lines[0]?.title ?? '',
    lines: lines.length,
    note: notes[event],
    refunded: event === 'refund' ? order.due + (isLate ? 0 : order.wallet) : 0,
  }
  await writeRecord(tx, order.uid, { kind: 'order', id: order.id, lastAt: now, lastOp: '', body })
}
const factsOf = (order: Order) => ({
  state: order.state,
  ships: order.ships,
  expiresAt: order.expires_at,
  completedAt: order.completed_at,
  askedIn: order.refund_asked_in,
})

export async function readByKey(tx: Tx, uid: string, key: string): Promise<Pick<Order, 'id' | 'state'> | null> {
  const row = await tx
    .selectFrom('orders')
    .select(['id', 'state'])
    .where('uid', '=', uid)
    .where('key', '=', key)
    .executeTakeFirst()
  return row ?? null
}

export async function insertOrder(
  tx: Tx,
  order: Insertable<Tables['orders']>,
  lines: Insertable<Tables['order_line']>[],
): Promise<Order> {
  const row = await tx.insertInto('orders').values(order).returningAll().executeTakeFirstOrThrow()
  await tx.insertInto('order_line').values(lines).execute()
  return row
}

export const countPending = async (tx: Tx, uid: string): Promise<number> => {
  const { count } = await tx
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('uid', '=', uid)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return count
}

export const readLines = (db: Db | Tx, uid: string, id: string): Promise<Line[]> =>
  db.selectFrom('order_line').selectAll().where('uid', '=', uid).where('order_id', '=', id).orderBy('at').execute()

const head = sql<OrderHead>`o.id, o.state, o.created_at as "createdAt", o.expires_at as "expiresAt", o.ships,
  o.goods, o.freight, o.discount, o.wallet, o.due,
  (select json_agg(json_build_object('kind', l.kind, 'no', l.no, 'variant', l.variant, 'title', l.title, 'detail', l.detail,
    'cover', l.cover, 'price', l.price, 'quantity', l.quantity) order by l.at)
    from order_line l where l.uid = o.uid and l.order_id = o.id) as lines`

/** @param states empty: all. @param cursor the last one that was seen, by its number */
export async function readOrders(
  db: Db,
  uid: string,
  states: readonly OrderState[],
  cursor: string | undefined,
  limit: number,
): Promise<OrderHead[]> {
  const { rows } = await sql<OrderHead>`
    select ${head} from orders o where o.uid = ${uid}
      and ${states.length === 0 ? sql`true` : sql`o.state = any(${states})`}
      and ${cursor === undefined ? sql`true` : sql`(o.created_at, o.id) < (select c.created_at, c.id from orders c where c.uid = ${uid} and c.id = ${cursor})`}
    order by o.created_at desc, o.id desc limit ${limit}`.execute(db)
  return rows
}

export async function readOrder(
  db: Db,
  uid: string,
  id: string,
): Promise<(Omit<OrderDetail, 'methods' | 'balance' | 'coupon'> & { couponId: string | null }) | null> {
  const { rows } = await sql<Omit<OrderDetail, 'methods' | 'balance' | 'coupon'> & { couponId: string | null }>`
    select ${head}, o.address, o.remark, o.parcel, o.coupon_id as "couponId", o.paid_at as "paidAt", o.shipped_at as "shippedAt",
      o.completed_at as "completedAt", o.cancelled_at as "cancelledAt", o.refunded_at as "refundedAt",
      case when o.refund_asked_at is not null then json_build_object('askedAt', o.refund_asked_at, 'reason', o.refund_reason,
        'approvedAt', o.refund_approved_at, 'declined', coalesce(o.refund_declined, '')) end as refund,
      (select p.provider from payment p where p.order_id = o.id and p.state = 'paid' order by p.paid_at limit 1) as method
    from orders o where o.uid = ${uid} and o.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Takes so many of each, or of none: the first that there are not enough of. In one order of numbers, so that orders never wait in a circle. */
export async function takeStock(tx: Tx, wanted: ReadonlyMap<string, number>): Promise<string | null> {
  for (const [no, quantity] of inOrder(wanted)) {
    const taken = await tx
      .updateTable('book_variant')
      .set((eb) => ({ stock: eb('stock', '-', quantity) }))
      .where('no', '=', no)
      .where('stock', '>=', quantity)
      .executeTakeFirst()
    if (taken.numUpdatedRows === 0n) return no
  }
  return null
}
/** @param sold what of it is to be counted as sold, or with -1 not any more */
export async function giveStock(tx: Tx, given: ReadonlyMap<string, number>): Promise<void> {
  for (const [no, quantity] of inOrder(given))
    await tx
      .updateTable('book_variant')
      .set((eb) => ({ stock: eb('stock', '+', quantity) }))
      .where('no', '=', no)
      .execute()
}
export async function countSold(tx: Tx, sold: ReadonlyMap<string, number>, sign: 1 | -1): Promise<void> {
  for (const [no, quantity] of inOrder(sold))
    await tx
      .updateTable('book_variant')
      .set((eb) => ({ sold: eb('sold', '+', sign * quantity) }))
      .where('no', '=', no)
      .execute()
}
const inOrder = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))

/** Copies by variant. */
export function copiesOf(lines: readonly Pick<Line, 'kind' | 'variant' | 'quantity'>[]): Map<string, number> {
  const copies = new Map<string, number>()
  for (const { kind, variant, quantity } of lines)
    if (kind === 'book' && variant !== null) copies.set(variant, (copies.get(variant) ?? 0) + quantity)
  return copies
}

export const insertPayment = (tx: Tx, payment: Insertable<Tables['payment']>): Promise<Payment> =>
  tx.insertInto('payment').values(payment).returningAll().executeTakeFirstOrThrow()

export const readPayments = (db: Db | Tx, uid: string, order: string): Promise<Payment[]> =>
  db
    .selectFrom('payment')
    .selectAll()
    .where('uid', '=', uid)
    .where('order_id', '=', order)
    .orderBy('begun_at')
    .execute()

export async function readPayment(db: Db | Tx, id: string): Promise<Payment | null> {
  return (await db.selectFrom('payment').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}
/** Behind the lock on its student's money. */
export async function lockPayment(tx: Tx, { uid, id }: Pick<Payment, 'uid' | 'id'>): Promise<Payment> {
  await lockWallet(tx, uid)
  return tx.selectFrom('payment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
export async function readPaymentByKey(db: Db | Tx, uid: string, key: string): Promise<Payment | null> {
  return (
    (await db.selectFrom('payment').selectAll().where('uid', '=', uid).where('key', '=', key).executeTakeFirst()) ??
    null
  )
}

/** Of which something may go back now, the newest first. */
export const readTopUps = (tx: Tx, uid: string): Promise<Payment[]> =>
  tx
    .selectFrom('payment')
    .selectAll()
    .where('uid', '=', uid)
    .where('order_id', 'is', null)
    .where('state', '=', 'paid')
    .where((eb) => eb.or([eb('refund_state', 'is', null), eb('refund_state', '=', 'done')]))
    .orderBy('paid_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** The provider is asked next about every open payment of this order, by the job. */
export async function askSoon(tx: Tx, { uid, id }: Order, now: number): Promise<void> {
  const open = tx.updateTable('payment').set({ ask_at: now }).where('state', '=', 'open')
  await open.where('uid', '=', uid).where('order_id', '=', id).execute()
}
/** Whether this payment is still wanted: its order has been neither paid nor ended. A top-up is wanted as long as it can be paid. */
export async function isWanted(db: Db, { uid, order_id }: Payment): Promise<boolean> {
  if (order_id === null) return true
  const order = db.selectFrom('orders').select('state').where('uid', '=', uid).where('id', '=', order_id)
  return (await order.executeTakeFirst())?.state === 'pending'
}

export async function changePayment(tx: Db | Tx, id: string, values: Updateable<Tables['payment']>): Promise<void> {
  await tx.updateTable('payment').set(values).where('id', '=', id).execute()
}

/** So much of a payment is to go back; the job sends it. */
export const owe = (tx: Tx, id: string, amount: number, now: number): Promise<void> =>
  changePayment(tx, id, { refund_state: 'due', refund_at: now, refund_amount: amount, owed_at: now })
export const isOwed = ({ refund_state }: Pick<Payment, 'refund_state'>): boolean =>
  refund_state === 'due' || refund_state === 'pending'

/**
 * Claims one for this replica: by when it is looked at again, should this one die over it. That of an order whose time is over is
 * asked about by who ends the order.
 * @param names of the providers that can be asked
 */
export async function claimOpen(db: Db, names: readonly string[], now: number, until: number): Promise<Payment | null> {
  const { rows } = await sql<Payment>`
    update payment set ask_at = ${until}, asked = asked + 1 where id = (select p.id from payment p
      where p.state = 'open' and p.ask_at <= ${now} and p.provider = any(${names}) and not exists (select from orders o
        where o.uid = p.uid and o.id = p.order_id and o.state = 'pending' and o.expires_at <= ${now})
      order by p.ask_at limit 1 for update of p skip locked) returning *`.execute(db)
  return rows[0] ?? null
}
export async function claimRefund(
  db: Db,
  names: readonly string[],
  now: number,
  until: number,
): Promise<Payment | null> {
  const { rows } = await sql<Payment>`
    update payment set refund_at = ${until}, asked = asked + 1 where id = (select id from payment
      where refund_state in ('due', 'pending') and refund_at <= ${now} and provider = any(${names}) order by refund_at limit 1 for update skip locked)
    returning *`.execute(db)
  return rows[0] ?? null
}
/** At the latest so long after it was asked a provider is asked again. */
export const LAST_ASK_MS = 10 * 60_000
const DUE = 20
/** Some that can be paid no more; those of which a provider was asked in vain since then, when it is asked again. */
export const readEnded = (db: Db, now: number): Promise<Pick<Order, 'uid' | 'id'>[]> =>
  db
    .selectFrom('orders as o')
    .select(['o.uid', 'o.id'])
    .where('o.state', '=', 'pending')
    .where('o.expires_at', '<=', now)
    .where(
      sql<boolean>`not exists (select from payment p where p.order_id = o.id and p.state = 'open'
        and p.ask_at > ${now} and p.ask_at >= o.expires_at + ${LAST_ASK_MS}::bigint)`,
    )
    .orderBy('o.expires_at')
    .limit(DUE)
    .execute()
/** Some that were sent before that moment, epoch ms, and that nobody has confirmed. */
export const readArrived = (db: Db, before: number): Promise<Pick<Order, 'uid' | 'id'>[]> =>
  db
    .selectFrom('orders')
    .select(['uid', 'id'])
    .where('state', '=', 'shipped')
    .where('shipped_at', '<=', before)
    .orderBy('shipped_at')
    .limit(DUE)
    .execute()

/** Whose mobile, or whose order, it is. */
export async function readUid(db: Db, whose: string): Promise<string | null> {
  const { rows } = await sql<{ uid: string }>`select uid from student where mobile = ${whose}
    union all select uid from orders where id = ${whose} limit 1`.execute(db)
  return rows[0]?.uid ?? null
}

/** What of a student's trade has not come to its end, in words that say what to do about it. */
export async function openTrade(tx: Tx, uid: string): Promise<string[]> {
  const { rows } = await sql<{ orders: number; payments: number; refunds: number; differs: number }>`
    select (select count(*)::int from orders where uid = ${uid} and state in ('pending', 'paid', 'shipped', 'refunding')) as orders,
      (select count(*)::int from payment where uid = ${uid} and state = 'open') as payments,
      (select count(*)::int from payment where uid = ${uid} and state = 'differs' and refund_state is null) as differs,
      (select count(*)::int from payment where uid = ${uid} and refund_state in ('due', 'pending')) as refunds`.execute(
    tx,
  )
  const { orders = 0, payments = 0, refunds = 0, differs = 0 } = rows[0] ?? {}
  const said = [
    orders > 0 && `还有 ${orders} 笔订单没有完成，请先在“我的订单”里取消、确认收货，或等退款办完`,
    orders === 0 && payments > 0 && '还有支付或充值没有结束，请半小时后再试',
    refunds > 0 && '还有退款没有到账，请等到账后再试',
    differs > 0 && '还有付款金额不符，款项没有退回，请联系客服',
  ]
  return said.filter((each) => each !== false)
}

/** Trade must by law be looked up for so long after it was done. */
export const TRADE_YEARS = 3
const TRADE_MS = (TRADE_YEARS * 365 + 1) * 86_400_000

/** Forgets who received what and where, of orders whose student has closed the account; sums stay, as books must. */
export async function forgetReceivers(db: Db, now: number): Promise<void> {
  await sql`
    update orders o set address = null, parcel = null, remark = '', refund_reason = null, refund_declined = null
    where created_at < ${now - TRADE_MS}
      and greatest(created_at, paid_at, shipped_at, completed_at, cancelled_at, refunded_at) < ${now - TRADE_MS}
      and (address is not null or parcel is not null or remark <> '' or refund_reason is not null)
      and not exists (select from student s where s.uid = o.uid)`.execute(db)
}
