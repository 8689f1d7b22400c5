import { randomInt } from 'node:crypto'
import type { Received } from '#src/contract/endpoint.ts'
import type { Contract } from '#src/contract/index.ts'
import type { OrderState, PayMethod } from '#src/contract/order.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { PAY_MS } from '#src/domain/money/order.ts'
import { returnCoupon, takeCoupon } from '#server/coupon/store.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import { FOR_GOOD, readEnds, revokeGrants, writeGrant } from '#server/rights/store.ts'
import { isStudent } from '#server/login/store.ts'
import { lockWallet, post } from '#server/wallet/store.ts'
import { type Buyer, type Goods, isRight } from './goods.ts'
import { offer } from './quote.ts'
import * as store from './store.ts'

/** Somebody who orders and does not pay keeps books from others. */
const MOST_PENDING = 5

/** A number of an order or payment: its day in Beijing, and what nobody guesses. */
export const newNumber = (now: number): string =>
  `${dateOf(dayOf(now)).replaceAll('-', '')}${String(randomInt(10 ** 8)).padStart(8, '0')}${String(randomInt(10 ** 6)).padStart(6, '0')}`

/**
 * Takes the lock on a student's money for an act of theirs. Looked for behind the lock: an account that closes takes it too, and a
 * call that was under way meanwhile leaves nothing of nobody. @returns the balance, fen
 */
export async function holdMoney(tx: Tx, uid: string): Promise<number> {
  const balance = await lockWallet(tx, uid)
  if (!(await isStudent(tx, uid))) throw new Refusal('账号已注销，请重新登录')
  return balance
}

/** Takes stock, coupon and the wallet's part and makes the order, or does nothing. Asked again with the same key, it is the same order. */
export async function makeOrder(
  db: Db,
  buyer: Buyer,
  wanted: Received<Contract['order']['create']>,
  methods: readonly PayMethod[],
): Promise<{ id: string; state: OrderState }> {
  return db.transaction().execute(async (tx) => {
    await holdMoney(tx, buyer.uid)
    const made = await store.readByKey(tx, buyer.uid, wanted.key)
    if (made) return made
    if ((await store.countPending(tx, buyer.uid)) >= MOST_PENDING)
      throw new Refusal(`你有 ${MOST_PENDING} 个订单还没有支付，请先支付或取消其中一个`)
    const { quote, goods } = await offer(tx, buyer, wanted, methods)
    if (quote.problem !== null) throw new Refusal(quote.problem)
    if (quote.wallet + quote.due !== wanted.expect) throw new Refusal('价格、运费或优惠有变化，请核对新的金额后再提交')
    const short = await store.takeStock(tx, store.copiesOf(goods))
    if (short !== null)
      throw new Refusal(`“${goods.find(({ variant }) => variant === short)?.title}”刚刚被买走，库存不足，请减少数量`)
    const id = newNumber(buyer.now)
    if (quote.coupon !== '' && !(await takeCoupon(tx, buyer.uid, quote.coupon, id, buyer.now)))
      throw new Refusal('所选优惠券刚刚用在了别的订单上，请重新选择')
    const { goods: sum, freight, discount, wallet, due, ships, address, coupon } = quote
    const order = await store.insertOrder(
      tx,
      {
        uid: buyer.uid,
        id,
        key: wanted.key,
        state: 'pending',
        ships,
        goods: sum,
        freight,
        discount,
        wallet,
        due,
        created_at: buyer.now,
        expires_at: buyer.now + PAY_MS,
        coupon_id: coupon || null,
        address: address && JSON.stringify({ name: address.name, mobile: address.mobile, text: address.text }),
        remark: wanted.remark,
      },
      goods.map((each, at) => lineOf(each, at, buyer.uid, id)),
    )
    await post(tx, {
      ...moneyOf(order, 'pay', buyer.now),
      tx: `${id}_hold`,
      entries: { wallet: -wallet, held: wallet },
    })
    return due === 0 ? sell(tx, order, buyer.now) : order
  })
}

function lineOf(goods: Goods, at: number, uid: string, order: string) {
  const { kind, no, variant, title, detail, cover, price, quantity, weight, days, until } = goods
  const right = { days, until }
  const line = { kind, no, variant, title, detail, price, quantity, weight, ...right }
  return { ...line, uid, order_id: order, at, cover: cover && JSON.stringify(cover) }
}

const moneyOf = (
  { uid, id }: Pick<store.Order, 'uid' | 'id'>,
  kind: 'pay' | 'release' | 'refund' | 'sale',
  at: number,
) => ({ uid, kind, order: id, at })

/** The whole sum is held: the order is paid, what is digital is the student's in the same transaction. */
export async function sell(tx: Tx, order: store.Order, now: number): Promise<store.Order> {
  const paid = await store.move(tx, order, 'pay', now, { paid_at: now })
  if (!paid) throw new Error(`order ${order.id} is ${order.state} and cannot be paid`)
  // What was begun on another device can still be paid there, until the job has closed it.
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

/** What of an order the student has already for as long as it would last, by its title; null: nothing. */
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

/** Pays what is due from the wallet. */
export async function payFromWallet(tx: Tx, order: store.Order, balance: number, now: number): Promise<store.Order> {
  if (balance < order.due) throw new Refusal('钱包余额不足，请先充值或换一种支付方式')
  await post(tx, {
    ...moneyOf(order, 'pay', now),
    tx: `${order.id}_rest`,
    entries: { wallet: -order.due, held: order.due },
  })
  return sell(tx, order, now)
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
  // What no provider took came from the wallet.
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
