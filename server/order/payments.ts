import type { PayMethod, PayWay } from '#src/contract/order.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import type { PayProvider, ProviderName, Standing } from '#server/outside/pay.ts'
import { lockWallet, post } from '#server/wallet/store.ts'
import { holdMoney, newNumber, payFromWallet, sell } from './checkout.ts'
import * as store from './store.ts'

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
    if (!order) throw new Refusal('订单不存在')
    if (order.state !== 'pending') return { order, payment: null }
    if (now >= order.expires_at) throw new Refusal('订单已超过支付时间，请重新下单')
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

/** 充值: the same one again for the same key. */
export async function beginTopUp(desk: Desk, payer: Payer, topUp: { key: string; amount: number; method: PayMethod }) {
  const { uid, now } = payer
  const { key, amount, method } = topUp
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
    throw new Refusal('支付渠道暂时没有回应，请稍后再试或换一种支付方式')
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
  await db.transaction().execute(async (tx) => {
    await lockWallet(tx, known.uid)
    const payment = await store.readPayment(tx, id)
    if (!payment || payment.state === 'paid') return
    if (standing.state === 'closed') return store.changePayment(tx, id, { state: 'closed' })
    if (standing.amount !== payment.amount) {
      failed(new Error(`paid ${standing.amount} fen instead of ${payment.amount}`), id)
      return
    }
    await store.changePayment(tx, id, { state: 'paid', ref: standing.ref, paid_at: standing.at })
    await bookIncome(tx, payment, now)
  })
}

async function bookIncome(tx: Tx, { id, uid, provider, amount, order_id }: store.Payment, now: number): Promise<void> {
  const to = order_id === null ? 'wallet' : 'held'
  const kind = order_id === null ? 'topUp' : 'pay'
  await post(tx, {
    uid,
    tx: `${id}_in`,
    kind,
    order: order_id,
    at: now,
    entries: { [`outside:${provider}`]: -amount, [to]: amount },
  })
  if (order_id === null) return
  const order = await store.lockOrder(tx, uid, order_id)
  if (!order) throw new Error(`payment ${id} is for an order that is not there`)
  if (order.state === 'pending') return void (await sell(tx, order, now))
  await store.changePayment(tx, id, { refund_state: 'due', refund_at: now })
  // An order that had ended says that its money is on the way back; one that was paid otherwise stays as it is.
  await store.move(tx, order, 'late', now, {
    refund_asked_at: now,
    refund_asked_in: 'cancelled',
    refund_reason: '订单取消后收到付款，自动退回',
    refund_approved_at: now,
  })
}

/** What the provider says now; null when it does not answer. */
export async function ask(desk: Desk, { id, provider }: store.Payment, now: number): Promise<Standing | null> {
  try {
    const standing = await providerOf(desk, provider).find(id)
    await settle(desk, provider, id, standing, now)
    return standing
  } catch (error) {
    desk.failed(error, id)
    return null
  }
}

/** Asks about a payment of which nothing was heard; when its time is long over, it is closed. */
export async function askOne(desk: Desk, now: number): Promise<boolean> {
  const payment = await store.claimOpen(desk.db, now, now + store.LAST_ASK_MS)
  if (!payment) return false
  const standing = await ask(desk, payment, now)
  if (standing?.state !== 'open') return true
  const over = now >= payment.expires_at + GRACE_MS
  if (over) await close(desk, payment, now)
  const next = now + Math.min(store.LAST_ASK_MS, FIRST_ASK_MS * 2 ** Math.min(payment.asked, 16))
  await store.changePayment(desk.db, payment.id, { ask_at: next })
  return true
}

/**
 * Makes sure that it cannot be paid any more. What was paid at the last moment is settled; of what a provider cannot close, as a
 * code that nobody has scanned, it is asked on until its time is long over.
 */
export async function close(desk: Desk, payment: store.Payment, now: number): Promise<void> {
  try {
    await providerOf(desk, payment.provider).close(payment.id)
    const standing = await providerOf(desk, payment.provider).find(payment.id)
    const over = standing.state === 'open' && now >= payment.expires_at + GRACE_MS
    await settle(desk, payment.provider, payment.id, over ? { state: 'closed' } : standing, now)
  } catch (error) {
    desk.failed(error, payment.id)
  }
}

/** Sends back what is to go back, or asks whether it has arrived. */
export async function refundOne(desk: Desk, now: number): Promise<boolean> {
  const payment = await store.claimRefund(desk.db, now, now + store.LAST_ASK_MS)
  if (!payment) return false
  const { id, amount } = payment
  try {
    const provider = providerOf(desk, payment.provider)
    const request = { id, refundId: refundOf(id), amount, total: amount, reason: '订单退款' }
    const standing =
      payment.refund_state === 'due' ? await provider.refund(request) : await provider.findRefund(request)
    await settleRefund(desk, payment, standing, now)
  } catch (error) {
    desk.failed(error, id)
  }
  return true
}
const refundOf = (payment: string): string => `${payment}R`

/** Of a refund that failed the provider is asked again, later: the money is owed. */
async function settleRefund(
  desk: Desk,
  { id, uid }: Pick<store.Payment, 'id' | 'uid'>,
  standing: 'done' | 'pending' | 'failed',
  now: number,
): Promise<void> {
  if (standing === 'failed') desk.failed(new Error('refund failed'), id)
  await desk.db.transaction().execute(async (tx) => {
    await lockWallet(tx, uid)
    const payment = await store.readPayment(tx, id)
    if (!payment || payment.refund_state === null || payment.refund_state === 'done') return
    if (standing !== 'done')
      return store.changePayment(tx, id, { refund_state: standing === 'failed' ? 'due' : 'pending' })
    await store.changePayment(tx, id, { refund_state: 'done', refunded_at: now })
    const { provider, amount, order_id } = payment
    await post(tx, {
      uid,
      tx: `${id}_back`,
      kind: 'refund',
      order: order_id,
      at: now,
      entries: { held: -amount, [`outside:${provider}`]: amount },
    })
    if (order_id === null) return
    const order = await store.lockOrder(tx, uid, order_id)
    const left = (await store.readPayments(tx, uid, order_id)).some(
      ({ refund_state }) => refund_state === 'due' || refund_state === 'pending',
    )
    if (order?.refund_approved_at && !left) await store.move(tx, order, 'refund', now, { refunded_at: now })
  })
}
