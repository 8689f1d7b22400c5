import { randomInt } from 'node:crypto'
import type { Received } from '#src/contract/endpoint.ts'
import type { Contract } from '#src/contract/index.ts'
import type { OrderState, PayMethod } from '#src/contract/order.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { PAY_MS } from '#src/domain/money/order.ts'
import { takeCoupon } from '#server/coupon/store.ts'
import type { Db } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import { post } from '#server/wallet/store.ts'
import { moneyOf, sell } from './fulfil.ts'
import type { Buyer, Goods } from './goods.ts'
import { holdMoney } from './money.ts'
import { offer } from './quote.ts'
import * as store from './store.ts'

/** Somebody who orders and does not pay keeps books from others. */
const MOST_PENDING = 5

/** A number of an order or payment: its day in Beijing, and what nobody guesses. */
export const newNumber = (now: number): string =>
  `${dateOf(dayOf(now)).replaceAll('-', '')}${String(randomInt(10 ** 8)).padStart(8, '0')}${String(randomInt(10 ** 6)).padStart(6, '0')}`

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
