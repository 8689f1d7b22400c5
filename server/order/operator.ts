import { sql } from 'kysely'
import type { OrderState } from '#src/contract/order.ts'
import type { Db } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import { giveBack } from './checkout.ts'
import { lockOrder, move, type Order } from './store.ts'

/** An order as the operator's command lists it. */
export interface Listed extends Pick<Order, 'id' | 'state' | 'wallet' | 'due' | 'address' | 'remark' | 'parcel'> {
  createdAt: number
  refundReason: string | null
  lines: { title: string; detail: string; quantity: number }[]
}

/** The oldest first: who has waited longest is served first. @param states none: those that wait for the operator */
export async function listOrders(db: Db, states: readonly OrderState[], limit: number): Promise<Listed[]> {
  const wanted =
    states.length > 0
      ? sql`o.state = any(${states})`
      : sql`(o.state = 'paid' or (o.state = 'refunding' and o.refund_approved_at is null))`
  const { rows } = await sql<Listed>`
    select o.id, o.state, o.wallet, o.due, o.address, o.remark, o.parcel, o.created_at as "createdAt",
      o.refund_reason as "refundReason", (select json_agg(json_build_object('title', l.title, 'detail', l.detail,
        'quantity', l.quantity) order by l.at) from order_line l where l.uid = o.uid and l.order_id = o.id) as lines
    from orders o where ${wanted} order by o.created_at, o.id limit ${limit}`.execute(db)
  return rows
}

/** One act of the operator on an order, all of it or nothing. @throws Refusal that says why not */
export async function operate(db: Db, id: string, act: OperatorAct, now: number): Promise<OrderState> {
  const found = await db.selectFrom('orders').select('uid').where('id', '=', id).executeTakeFirst()
  if (!found) throw new Refusal(`没有订单 ${id}`)
  return db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, found.uid, id)
    if (!order) throw new Refusal(`没有订单 ${id}`)
    if (act.kind === 'approve') return (await giveBack(tx, order, act.restock, now)).state
    const moved =
      act.kind === 'ship'
        ? await move(tx, order, 'ship', now, { shipped_at: now, parcel: JSON.stringify(act.parcel) })
        : order.refund_approved_at === null
          ? await move(tx, order, 'decline', now, { refund_declined: act.reason })
          : null
    if (!moved) throw new Refusal(act.kind === 'ship' ? '该订单不是待发货' : '该订单没有等待处理的退款申请')
    return moved.state
  })
}
export type OperatorAct =
  | { kind: 'ship'; parcel: { carrier: string; number: string } }
  /** `restock`: the goods are in the shop, or have come back. */
  | { kind: 'approve'; restock: boolean }
  | { kind: 'decline'; reason: string }
