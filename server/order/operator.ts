import { sql } from 'kysely'
import type { OrderState } from '#src/contract/order.ts'
import { logChange } from '#server/config/store.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import { giveBack } from './fulfil.ts'
import { payOut } from './refunds.ts'
import { lockOrder, move, type Order, readUid } from './store.ts'

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
    if (act.kind === 'approve') {
      const asked = await askedFor(tx, order, act.reason, now)
      // What was never sent is in the shop.
      const back = await giveBack(tx, asked, act.restock ?? order.shipped_at === null, now)
      await logChange(tx, 'orders', `${id} 退款${act.reason === undefined ? '' : `：${act.reason}`}`, now)
      return back.state
    }
    const moved =
      act.kind === 'ship'
        ? await move(tx, order, 'ship', now, { shipped_at: now, parcel: JSON.stringify(act.parcel) })
        : order.refund_approved_at === null
          ? await move(tx, order, 'decline', now, { refund_declined: act.reason })
          : null
    if (!moved) throw new Refusal(act.kind === 'ship' ? '该订单不是待发货' : '该订单没有等待处理的退款申请')
    await logChange(tx, 'orders', `${id} ${act.kind === 'ship' ? '发货' : `拒绝退款：${act.reason}`}`, now)
    return moved.state
  })
}

/** An order whose refund was asked for by the student; or else by the shop, which gives the reason. */
export async function askedFor(tx: Tx, order: Order, reason: string | undefined, now: number): Promise<Order> {
  if (order.state === 'refunding') return order
  const not = NOT_GIVEN_BACK[order.state]
  if (not) throw new Refusal(not)
  if (reason === undefined) throw new Refusal('学生没有申请退款；主动退款请用 --reason 写明原因，学生会看到')
  const of = { refund_asked_at: now, refund_asked_in: order.state, refund_approved_at: null, refund_declined: null }
  const asked = await move(tx, order, 'giveBack', now, { ...of, refund_reason: reason })
  if (!asked) throw new Refusal('该订单不能退款')
  return asked
}
const NOT_GIVEN_BACK: Partial<Record<OrderState, string>> = {
  pending: '该订单还没有付款，没有可退的',
  cancelled: '该订单已取消，没有可退的',
  refunded: '该订单已经退款',
}

/** 余额退还 of a student. @param whose the mobile, or an order of one whose account may be closed. @throws Refusal */
export async function payOutWallet(db: Db, whose: string, now: number): ReturnType<typeof payOut> {
  const uid = await readUid(db, whose)
  if (uid === null) throw new Refusal(`没有手机号或订单号为 ${whose} 的学生`)
  return db.transaction().execute(async (tx) => {
    const paid = await payOut(tx, uid, now)
    if (paid.sum + paid.left === 0) throw new Refusal('钱包里没有余额')
    if (paid.sum === 0) throw new Refusal('前一次退还还没有办完，请等到账后再试')
    await logChange(tx, 'payments', `${whose} 退还余额 ${(paid.sum / 100).toFixed(2)} 元`, now)
    return paid
  })
}

export type OperatorAct =
  | { kind: 'ship'; parcel: { carrier: string; number: string } }
  /** `reason`: for the student, of an order that the shop itself gives back. `restock`: the goods are in the shop, or have come back. */
  | { kind: 'approve'; reason?: string; restock?: boolean }
  | { kind: 'decline'; reason: string }
