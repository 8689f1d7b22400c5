import type { PayMethod, PayWay } from '#src/contract/order.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import type { ProviderName } from '#server/db/saleTables.ts'
import type { PayProvider, Standing } from '#server/outside/pay.ts'
import { lockWallet, post } from '#server/wallet/store.ts'
import { newNumber } from './checkout.ts'
import { end, ownedOf, sell } from './fulfil.ts'
import { holdMoney, payFromWallet } from './money.ts'
import * as store from './store.ts'
import { hasUnreal } from './unreal.ts'

/** How soon a provider is asked for the first time about a payment of which no notice came; then each time twice as long. */
const FIRST_ASK_MS = 10_000
/** So long a payment must last when it begins: WeChat takes none of less than a minute, and calls and clocks take their time. */
const LEAST_MS = 90_000
const isTooLate = (expiresAt: number, now: number): boolean => expiresAt - now < LEAST_MS
/** So long after its end a payment is still asked for: clocks differ, and banks are slow. */
const GRACE_MS = 10 * 60_000

export type Providers = ReadonlyMap<ProviderName, PayProvider>
/** Where money is taken, and by whom. */
export interface Desk {
  db: Db
  providers: Providers
  /** Told of what nobody waits for and somebody must see. @param of number of the payment, or of the order */
  failed: (error: unknown, of: string) => void
}
export interface Payer {
  uid: string
  ip: string
  now: number
  device: 'phone' | 'desktop'
}

export const methodsOf = (providers: Providers): PayMethod[] => [...providers.keys()]

const providerOf = (desk: Desk, name: ProviderName): PayProvider => {
  const provider = desk.providers.get(name)
  if (!provider) throw new Refusal('暂不支持这种支付方式，请换一种')
  return provider
}

/** Pays an order from the wallet, or begins its payment at a provider: the same one again while it is open. */
export async function payOrder(desk: Desk, payer: Payer, id: string, method: PayMethod) {
  const { uid, now } = payer
  const begun = await desk.db.transaction().execute(async (tx) => {
    const balance = await holdMoney(tx, uid)
    const order = await store.lockOrder(tx, uid, id)
    if (!order) throw new Refusal('订单不存在，请到“我的订单”里查看')
    if (order.state !== 'pending') return { order, payment: null }
    if (now >= order.expires_at) throw new Refusal('订单已超过支付时间，请重新下单')
    const owned = await ownedOf(tx, order, now)
    if (owned !== null) throw new Refusal(`已经拥有“${owned}”，不用再付，请取消这个订单`)
    if ((method === 'wallet' || order.wallet > 0) && (await hasUnreal(tx, uid))) throw new Refusal(FROZEN)
    if (method === 'wallet') return { order: await payFromWallet(tx, order, balance, now), payment: null }
    providerOf(desk, method)
    if (isTooLate(order.expires_at, now))
      throw new Refusal('离支付截止不到 1 分半钟，来不及支付，请取消后重新下单，或用钱包支付')
    // What was begun on a computer is a code, and cannot be gone to on a phone: that is another payment.
    const open = (await store.readPayments(tx, uid, id)).find(
      (each) => each.state === 'open' && each.provider === method && each.device === payer.device,
    )
    const { due: amount, expires_at } = order
    const wanted = { uid, order_id: id, key: null, provider: method, device: payer.device, amount, expires_at }
    const payment = open ?? (await openPayment(tx, wanted, now))
    return { order, payment }
  })
  const { order, payment } = begun
  const title = payment ? await titleOf(desk.db, uid, id) : ''
  return { state: order.state, way: payment && (await begin(desk, payment, title, payer)) }
}

const openPayment = (
  tx: Tx,
  payment: Pick<store.Payment, 'uid' | 'order_id' | 'key' | 'provider' | 'device' | 'amount' | 'expires_at'>,
  now: number,
): Promise<store.Payment> =>
  store.insertPayment(tx, { ...payment, id: newNumber(now), begun_at: now, ask_at: now + FIRST_ASK_MS })

const FROZEN = '钱包里有试用时的沙箱款项，客服处理之后才能使用；这个订单请先取消'

/** 充值: the same one again for the same key. */
export async function beginTopUp(desk: Desk, payer: Payer, topUp: { key: string; amount: number; method: PayMethod }) {
  const { uid, now } = payer
  const { key, amount, method } = topUp
  if (desk.providers.size === 0) throw new Refusal('本站还没有开通支付，暂时不能充值，请以后再来看看')
  if (method === 'wallet') throw new Refusal('请选择微信支付或支付宝充值')
  providerOf(desk, method)
  const payment = await desk.db.transaction().execute(async (tx) => {
    await holdMoney(tx, uid)
    const known = await store.readPaymentByKey(tx, uid, key)
    const expires_at = now + TOP_UP_MS
    const wanted = { uid, order_id: null, key, provider: method, device: payer.device, amount, expires_at }
    return known ?? openPayment(tx, wanted, now)
  })
  if (isTooLate(payment.expires_at, now)) throw new Refusal('这次充值快到截止时间了，请关闭后重新充值')
  return { id: payment.id, way: await begin(desk, payment, '钱包充值', payer) }
}
const TOP_UP_MS = 30 * 60_000

async function begin(desk: Desk, payment: store.Payment, title: string, { ip, device }: Payer): Promise<PayWay> {
  const { id, provider, amount, expires_at: expiresAt } = payment
  try {
    return await providerOf(desk, provider).begin({ id, amount, title, expiresAt, device, ip })
  } catch (error) {
    if (error instanceof Refusal) throw error
    desk.failed(error, id)
    throw new Refusal('支付渠道暂时没有响应，请稍后再试或换一种支付方式')
  }
}

const TITLE_MAX = 40
async function titleOf(db: Db, uid: string, id: string): Promise<string> {
  const lines = await store.readLines(db, uid, id)
  const title = `${lines[0]?.title ?? ''}${lines.length > 1 ? ` 等 ${lines.length} 种` : ''}`
  return title.length > TITLE_MAX ? `${title.slice(0, TITLE_MAX - 1)}…` : title
}

/**
 * Takes what a provider says of a payment, by notice or asked: as often and as late as it may come. What was paid for an order that
 * had ended, or was paid already, goes back.
 */
export async function settle(
  { db, failed }: Desk,
  provider: ProviderName,
  id: string,
  standing: Standing,
  now: number,
): Promise<void> {
  const known = await store.readPayment(db, id)
  if (!known || known.provider !== provider)
    throw new Error(`${provider} speaks of payment ${id}, which is none of its`)
  if (standing.state === 'open') return
  const payment = await db.transaction().execute((tx) => take(tx, known, standing, now))
  if (payment?.state === 'differs')
    failed(new Error(`paid ${payment.came} fen instead of ${payment.amount}: npm run orders -- troubles`), id)
}

/** What is said of a payment, in a transaction. @returns the payment as it was changed; null: there was nothing to do */
export async function take(
  tx: Tx,
  { uid, id }: Pick<store.Payment, 'uid' | 'id'>,
  standing: Exclude<Standing, { state: 'open' }>,
  now: number,
): Promise<store.Payment | null> {
  await lockWallet(tx, uid)
  const payment = await store.readPayment(tx, id)
  if (!payment || payment.state === 'paid' || payment.state === 'differs') return null
  if (standing.state === 'closed') {
    await store.changePayment(tx, id, { state: 'closed' })
    return { ...payment, state: 'closed' }
  }
  const { amount: came, ref, at: paid_at } = standing
  const differs = came !== payment.amount
  const set = differs ? ({ state: 'differs', came, ref, paid_at } as const) : ({ state: 'paid', ref, paid_at } as const)
  await store.changePayment(tx, id, set)
  await bookIncome(tx, payment, came, now)
  return { ...payment, ...set }
}

/** A sum that was not asked for is held, until the operator gives it back. */
async function bookIncome(tx: Tx, payment: store.Payment, came: number, now: number): Promise<void> {
  const { id, uid, provider, amount, order_id } = payment
  const to = order_id === null && came === amount ? 'wallet' : 'held'
  const kind = order_id === null ? 'topUp' : 'pay'
  const entries = { [`outside:${provider}`]: -came, [to]: came }
  await post(tx, { uid, tx: `${id}_in`, kind, order: order_id, at: now, entries })
  if (order_id === null || came !== amount) return
  const order = await store.lockOrder(tx, uid, order_id)
  if (!order) throw new Error(`payment ${id} is for an order that is not there`)
  const owned = order.state === 'pending' ? await ownedOf(tx, order, now) : null
  if (order.state === 'pending' && owned === null) return void (await sell(tx, order, now))
  await store.owe(tx, id, amount, now)
  // Bought meanwhile by another order, it would be paid for nothing.
  const ended = owned === null ? order : await end(tx, order, 'cancel', now)
  const why = owned === null ? '订单取消后收到付款，自动退回' : `付款前已经拥有“${owned}”，订单取消，自动退回`
  // An order that had ended says that its money is on the way back; one that was paid otherwise stays as it is.
  await store.move(tx, ended ?? order, 'late', now, {
    refund_asked_at: now,
    refund_asked_in: 'cancelled',
    refund_reason: why,
    refund_approved_at: now,
  })
}

/** What the provider says now; null when it does not answer, or there is none any more, of which the job tells once. */
export async function ask(desk: Desk, { id, provider }: store.Payment, now: number): Promise<Standing | null> {
  const asked = desk.providers.get(provider)
  if (!asked) return null
  try {
    const standing = await asked.find(id)
    await settle(desk, provider, id, standing, now)
    return standing
  } catch (error) {
    desk.failed(error, id)
    return null
  }
}

/** Asks about a payment of which nothing was heard. When nobody wants it any more, or its time is long over, it is closed. */
export async function askOne(desk: Desk, now: number): Promise<boolean> {
  const payment = await store.claimOpen(desk.db, [...desk.providers.keys()], now, now + store.LAST_ASK_MS)
  if (!payment) return false
  const standing = await ask(desk, payment, now)
  if (standing?.state !== 'open') return true
  const over = now >= payment.expires_at + GRACE_MS
  if (over || !(await store.isWanted(desk.db, payment))) await close(desk, payment, now)
  const next = now + Math.min(store.LAST_ASK_MS, FIRST_ASK_MS * 2 ** Math.min(payment.asked, 16))
  await store.changePayment(desk.db, payment.id, { ask_at: next })
  return true
}

/**
 * Makes sure that it cannot be paid any more. What was paid at the last moment is settled; of what a provider cannot close, as a
 * code that nobody has scanned, it is asked on until its time is long over.
 */
export async function close(desk: Desk, payment: store.Payment, now: number): Promise<void> {
  const provider = desk.providers.get(payment.provider)
  if (!provider) return
  try {
    await provider.close(payment.id)
    const standing = await provider.find(payment.id)
    const over = standing.state === 'open' && now >= payment.expires_at + GRACE_MS
    await settle(desk, payment.provider, payment.id, over ? { state: 'closed' } : standing, now)
  } catch (error) {
    desk.failed(error, payment.id)
  }
}
