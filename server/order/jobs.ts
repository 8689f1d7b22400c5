import { RECEIVE_DAYS } from '#src/domain/order.ts'
import { lockOrder, move, type Order, readDue, readPayments } from './store.ts'
import { end } from './checkout.ts'
import { ask, askOne, close, type Desk, refundOne } from './payments.ts'

const DAY_MS = 86_400_000
/** So long an order is kept for a provider that does not say whether it was paid. */
const PATIENCE_MS = 2 * 3_600_000

/** Money that nobody waits for any more: asks, sends back, ends what was not paid, takes parcels as received. False: nothing to do. */
export async function settleSome(desk: Desk, now: number): Promise<boolean> {
  const asked = await askOne(desk, now)
  const refunded = await refundOne(desk, now)
  const expired = await expireSome(desk, now)
  const received = await receiveSome(desk, now)
  return asked || refunded || expired || received
}

async function expireSome(desk: Desk, now: number): Promise<boolean> {
  const due = await readDue(desk.db, 'pending', now)
  let moved = false
  for (const each of due) moved = (await expire(desk, each, now)) || moved
  return moved
}

/** False: a provider has not said yet whether it was paid. */
async function expire(desk: Desk, { uid, id }: Pick<Order, 'uid' | 'id'>, now: number): Promise<boolean> {
  const open = (await readPayments(desk.db, uid, id)).filter(({ state }) => state === 'open')
  const answers = await Promise.all(open.map((payment) => ask(desk, payment, now)))
  const silent = answers.includes(null)
  const ended = await desk.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, uid, id)
    if (!order || (silent && now < order.expires_at + PATIENCE_MS)) return false
    return (await end(tx, order, 'expire', now)) !== null
  })
  if (ended) for (const payment of open) await close(desk, payment, now)
  return ended
}

async function receiveSome({ db }: Desk, now: number): Promise<boolean> {
  const due = await readDue(db, 'shipped', now - RECEIVE_DAYS * DAY_MS)
  for (const { uid, id } of due)
    await db.transaction().execute(async (tx) => {
      const order = await lockOrder(tx, uid, id)
      if (order) await move(tx, order, 'receive', now, { completed_at: now })
    })
  return due.length > 0
}
