import type { Contract } from '#src/contract/index.ts'
import type { OrderDetail, OrderState } from '#src/contract/order.ts'
import { refundsUntil } from '#src/domain/money/order.ts'
import { readCouponTitle } from '#server/coupon/store.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { allowed } from '#server/http/limits.ts'
import { readBalance, readRecords } from '#server/wallet/store.ts'
import { makeOrder } from './checkout.ts'
import { end } from './fulfil.ts'
import { holdMoney } from './money.ts'
import { ask, beginTopUp, close, type Desk, methodsOf, payOrder } from './payments.ts'
import { offer } from './quote.ts'
import { lockOrder, move, type Order, type Payment, readOrder, readOrders, readPayment, readPayments } from './store.ts'
import { hasUnreal, readSpendable } from './unreal.ts'

const PAGE = 20
const HOUR_MS = 3_600_000
const LOOK_MS = 1000
const UNKNOWN = '订单不存在，请到“我的订单”里查看'
/** Why an order cannot be confirmed as received. */
const UNRECEIVED: Partial<Record<OrderState, string>> = {
  pending: '订单还没有付款，不能确认收货；请先付款',
  paid: '订单还没有发货，不能确认收货；请收到后再确认',
  cancelled: '订单已取消，不能确认收货；需要时请重新下单',
  refunding: '退款处理中，不用确认收货；退款没有通过时可以再确认',
  refunded: '订单已退款，不用确认收货',
}

interface By {
  uid: string
  now: number
}

/** So often at most: each asks a provider, or holds books for half an hour. */
async function limit(db: Db, what: string, max: number, { uid, now }: By): Promise<void> {
  const key = `${what}:${uid}`
  if (!(await allowed(db, { key, windowMs: HOUR_MS, max }, now))) throw new Refusal('操作过于频繁，请1小时后再试')
}

export function orderHandlers(desk: Desk): Handlers<Contract['order']> {
  const { db } = desk
  const detail = (uid: string, id: string) => readDetail(desk, uid, id)

  return {
    preview: async (wanted, by) => (await offer(db, by, wanted, methodsOf(desk.providers))).quote,

    async create(wanted, by) {
      await limit(db, 'order', 60, by)
      return makeOrder(db, by, wanted, methodsOf(desk.providers))
    },

    async pay({ id, method, device }, { uid, ip, now }) {
      await limit(db, 'pay', 120, { uid, now })
      const paid = await payOrder(desk, { uid, ip, now, device }, id, method)
      // What was begun elsewhere cannot be paid any more, once it is paid.
      if (paid.state !== 'pending') await closeOpen(desk, uid, id, now)
      return paid
    },

    async state({ id }, { uid, now }) {
      const order = await readOrder(db, uid, id)
      if (!order) throw new Refusal(UNKNOWN)
      if (order.state !== 'pending') return { state: order.state, open: false }
      await Promise.all((await openPayments(desk, uid, id)).map((payment) => look(desk, payment, now)))
      const open = (await openPayments(desk, uid, id)).length > 0
      return { state: (await readOrder(db, uid, id))?.state ?? order.state, open }
    },

    detail: ({ id }, { uid }) => detail(uid, id),

    async list({ states, cursor }, { uid }) {
      const { shown: orders, next } = page(await readOrders(db, uid, states, cursor, PAGE + 1))
      return { orders, next }
    },

    async cancel({ id }, { uid, now }) {
      await limit(db, 'cancel', 60, { uid, now })
      await Promise.all((await openPayments(desk, uid, id)).map((payment) => ask(desk, payment, now)))
      await change(db, { uid, now }, id, async (tx, order) => {
        if (order.state !== 'cancelled' && !(await end(tx, order, 'cancel', now)))
          throw new Refusal('订单已经支付，不能取消；需要时可以申请退款')
      })
      await closeOpen(desk, uid, id, now)
      return detail(uid, id)
    },

    async receive({ id }, { uid, now }) {
      await change(db, { uid, now }, id, async (tx, order) => {
        const why = UNRECEIVED[order.state]
        if (why) throw new Refusal(why)
        // Asked for again, it has been done.
        await move(tx, order, 'receive', now, { completed_at: now })
      })
      return detail(uid, id)
    },

    async askRefund({ id, reason }, { uid, now }) {
      await change(db, { uid, now }, id, async (tx, order) => {
        const asked = {
          refund_asked_at: now,
          refund_asked_in: order.state,
          refund_reason: reason,
          refund_approved_at: null,
          refund_declined: null,
        }
        if (order.state === 'refunding' || (await move(tx, order, 'askRefund', now, asked))) return
        const late = order.completed_at !== null && now >= refundsUntil(order.completed_at)
        throw new Refusal(late ? '已超过申请退款的期限，请联系客服' : '这个订单不能申请退款，有疑问请联系客服')
      })
      return detail(uid, id)
    },
  }
}

async function readDetail({ db, providers }: Desk, uid: string, id: string): Promise<OrderDetail> {
  const found = await readOrder(db, uid, id)
  if (!found) throw new Refusal(UNKNOWN)
  const { couponId, ...order } = found
  const coupon = couponId === null ? null : await readCouponTitle(db, uid, couponId)
  return { ...order, coupon, methods: methodsOf(providers), balance: await readSpendable(db, uid) }
}

/** One act on an order, in a transaction that holds it. */
async function change(
  db: Db,
  { uid }: By,
  id: string,
  act: (tx: Parameters<typeof lockOrder>[0], order: Order) => Promise<unknown>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await holdMoney(tx, uid)
    const order = await lockOrder(tx, uid, id)
    if (!order) throw new Refusal(UNKNOWN)
    await act(tx, order)
  })
}

const openPayments = async ({ db }: Desk, uid: string, id: string) =>
  (await readPayments(db, uid, id)).filter(({ state }) => state === 'open')
/** Asks for who waits, however often they want to know: the provider counts our calls, and stops answering who makes too many. */
async function look(desk: Desk, payment: Payment, now: number): Promise<void> {
  if (await allowed(desk.db, { key: `ask:${payment.id}`, windowMs: LOOK_MS, max: 1 }, now))
    await ask(desk, payment, now)
}
async function closeOpen(desk: Desk, uid: string, id: string, now: number): Promise<void> {
  await Promise.all((await openPayments(desk, uid, id)).map((payment) => close(desk, payment, now)))
}

export function walletHandlers(desk: Desk): Handlers<Contract['wallet']> {
  const { db } = desk
  return {
    async topUp({ device, ...wanted }, { uid, ip, now }) {
      await limit(db, 'pay', 120, { uid, now })
      return beginTopUp(desk, { uid, ip, now, device }, wanted)
    },
    async topUpState({ id }, { uid, now }) {
      const payment = await readPayment(db, id)
      if (payment?.uid !== uid || payment.order_id !== null) throw new Refusal('充值记录不存在，请到“我的钱包”里查看')
      if (payment.state === 'open') await look(desk, payment, now)
      return { state: (await readPayment(db, id))?.state ?? payment.state, balance: await readBalance(db, uid) }
    },
  }
}

export const myWalletRecord =
  (desk: Desk): Handlers<Pick<Contract['user'], 'myWalletRecord'>>['myWalletRecord'] =>
  async ({ month, cursor }, { uid }) => {
    const { db, providers } = desk
    const { records, ...sums } = await readRecords(db, uid, month, cursor, PAGE + 1)
    const { shown, next } = page(records)
    const wallet = { balance: await readBalance(db, uid), frozen: await hasUnreal(db, uid) }
    return { ...sums, records: shown, next, ...wallet, methods: methodsOf(providers) }
  }

/** Of one row more than a page holds, where there is one: the page, and after which row the next begins. */
function page<T extends { id: string }>(rows: readonly T[]): { shown: T[]; next: string | null } {
  return { shown: rows.slice(0, PAGE), next: rows.length > PAGE ? (rows[PAGE - 1]?.id ?? null) : null }
}
