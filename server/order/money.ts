import type { Tx } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import { isStudent } from '#server/login/store.ts'
import { lockWallet, post } from '#server/wallet/store.ts'
import { moneyOf, sell } from './fulfil.ts'
import type * as store from './store.ts'

/**
 * Takes the lock on a student's money for an act of theirs. Looked for behind the lock: an account that closes takes it too, and a
 * call that was under way meanwhile leaves nothing of nobody. @returns the balance, fen
 */
export async function holdMoney(tx: Tx, uid: string): Promise<number> {
  const balance = await lockWallet(tx, uid)
  if (!(await isStudent(tx, uid))) throw new Refusal('账号已注销，请重新登录')
  return balance
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
