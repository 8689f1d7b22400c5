import type { Tx } from '#server/db/open.ts'
import type { RefundStanding } from '#server/outside/pay.ts'
import { Refusal } from '#server/http/handlers.ts'
import { lockWallet, post } from '#server/wallet/store.ts'
import type { Desk } from './payments.ts'
import * as store from './store.ts'
import { hasUnreal } from './unreal.ts'

/** Of one payment there may be several, one after the other: the first has the plain names. */
const nth = ({ refund_no }: Pick<store.Payment, 'refund_no'>): string => (refund_no === 0 ? '' : String(refund_no))

/** Sends back what is to go back, or asks whether it has arrived. */
export async function refundOne(desk: Desk, now: number): Promise<boolean> {
  const names = [...desk.providers.keys()]
  const payment = await store.claimRefund(desk.db, names, now, now + store.LAST_ASK_MS)
  const provider = payment && desk.providers.get(payment.provider)
  if (!payment || !provider) return false
  const { id, amount, came, refund_amount } = payment
  try {
    const refundId = `${id}R${nth(payment)}`
    const reason = payment.order_id === null ? '余额退还' : '订单退款'
    const request = { id, refundId, amount: refund_amount, total: came ?? amount, reason }
    const standing =
      payment.refund_state === 'due' ? await provider.refund(request) : await provider.findRefund(request)
    if (standing === 'failed') desk.failed(new Error('refund failed: npm run orders -- troubles'), id)
    const isBooked = await desk.db.transaction().execute((tx) => settleRefund(tx, payment, standing, now))
    // Resolved by hand while the provider was asked: it may have gone back twice.
    if (standing === 'done' && !isBooked) desk.failed(new Error('refunded, and settled by somebody else meanwhile'), id)
  } catch (error) {
    desk.failed(error, id)
  }
  return true
}

/**
 * What became of a refund. Of one that failed the provider is asked again, later: the money is owed.
 * @param asked the payment as it was when it was asked: what is said of an earlier part is not said of the next
 * @returns false: it is owed no more, or another part of it is
 */
export async function settleRefund(
  tx: Tx,
  asked: Pick<store.Payment, 'id' | 'uid' | 'refund_no'>,
  standing: RefundStanding,
  now: number,
): Promise<boolean> {
  const { id, uid } = asked
  await lockWallet(tx, uid)
  const payment = await store.readPayment(tx, id)
  if (!payment || !store.isOwed(payment) || payment.refund_no !== asked.refund_no) return false
  const { provider, refund_amount: amount, order_id, refund_no } = payment
  if (standing !== 'done') {
    const isFailed = standing === 'failed'
    await store.changePayment(
      tx,
      id,
      isFailed ? { refund_state: 'due', refund_failed_at: now } : { refund_state: 'pending' },
    )
    return true
  }
  await store.changePayment(tx, id, {
    refund_state: 'done',
    refunded_at: now,
    refund_no: refund_no + 1,
    refund_amount: 0,
    returned: payment.returned + amount,
    refund_failed_at: null,
  })
  await post(tx, {
    uid,
    tx: `${id}_back${nth(payment)}`,
    kind: 'refund',
    order: order_id,
    at: now,
    entries: { held: -amount, [`outside:${provider}`]: amount },
  })
  if (order_id === null) return true
  const order = await store.lockOrder(tx, uid, order_id)
  const left = (await store.readPayments(tx, uid, order_id)).some(store.isOwed)
  if (order?.refund_approved_at && !left) await store.move(tx, order, 'refund', now, { refunded_at: now })
  return true
}

/** 余额退还: what a wallet holds goes back to where it came from, the newest top-up first. @returns fen, of how many top-ups, and what is left */
export async function payOut(
  tx: Tx,
  uid: string,
  now: number,
): Promise<{ sum: number; payments: number; left: number }> {
  const balance = await lockWallet(tx, uid)
  if (await hasUnreal(tx, uid)) throw new Refusal('余额里有沙箱款项，不是真钱：先执行 npm run orders -- void-sandbox')
  return payOutTo(tx, uid, await store.readTopUps(tx, uid), balance, now)
}

/** Sends so much of a wallet back to these top-ups, to each at most what came from it. */
export async function payOutTo(
  tx: Tx,
  uid: string,
  topUps: readonly store.Payment[],
  balance: number,
  now: number,
): Promise<{ sum: number; payments: number; left: number }> {
  let left = balance
  let payments = 0
  for (const topUp of topUps) {
    const amount = Math.min(left, topUp.amount - topUp.returned)
    if (amount === 0) continue
    const entries = { wallet: -amount, held: amount }
    await post(tx, { uid, tx: `${topUp.id}_out${nth(topUp)}`, kind: 'payOut', order: null, at: now, entries })
    await store.owe(tx, topUp.id, amount, now)
    left -= amount
    payments++
  }
  return { sum: balance - left, payments, left }
}
