import { RECEIVE_DAYS } from '#src/domain/money/order.ts'
import {
  changePayment,
  LAST_ASK_MS,
  lockOrder,
  move,
  type Order,
  readArrived,
  readEnded,
  readPayments,
} from './store.ts'
import { end } from './fulfil.ts'
import { ask, askOne, close, type Desk } from './payments.ts'
import { refundOne } from './refunds.ts'
import { tellStranded } from './troubles.ts'

const DAY_MS = 86_400_000
/** So long an order is kept for a provider that does not say whether it was paid. */
const PATIENCE_MS = 2 * 3_600_000

/** So many providers' answers are waited for at once, so that one who is silent keeps nobody from those who answer. */
const AT_ONCE = 8

/** Money that nobody waits for any more: asks, sends back, ends what was not paid, takes parcels as received. False: nothing to do. */
export async function settleSome(desk: Desk, now: number): Promise<boolean> {
  const done = [
    await tellStranded(desk, now),
    await some(() => askOne(desk, now)),
    await some(() => refundOne(desk, now)),
    await ofEach(desk, await readEnded(desk.db, now), (each) => expire(desk, each, now)),
    await ofEach(desk, await readArrived(desk.db, now - RECEIVE_DAYS * DAY_MS), (each) => receive(desk, each, now)),
  ]
  return done.includes(true)
}

async function some(act: () => Promise<boolean>): Promise<boolean> {
  const done = await Promise.all(Array.from({ length: AT_ONCE }, act))
  return done.includes(true)
}

type Due = Pick<Order, 'uid' | 'id'>
/** What goes wrong with one is told, and keeps no other. */
async function ofEach(desk: Desk, due: readonly Due[], act: (order: Due) => Promise<boolean>): Promise<boolean> {
  const told = (order: Due) =>
    act(order).catch((error: unknown) => {
      desk.failed(error, order.id)
      return false
    })
  const done = await Promise.all(due.map(told))
  return done.includes(true)
}

/** False: a provider has not said yet whether it was paid. */
async function expire(desk: Desk, { uid, id }: Due, now: number): Promise<boolean> {
  const open = (await readPayments(desk.db, uid, id)).filter(({ state }) => state === 'open')
  const answers = await Promise.all(open.map((payment) => ask(desk, payment, now)))
  const silent = open.filter((_, at) => answers[at] === null)
  for (const payment of silent) await changePayment(desk.db, payment.id, { ask_at: now + LAST_ASK_MS })
  const ended = await desk.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, uid, id)
    if (!order || (silent.length > 0 && now < order.expires_at + PATIENCE_MS)) return false
    return (await end(tx, order, 'expire', now)) !== null
  })
  if (ended) for (const payment of open) await close(desk, payment, now)
  return ended
}

const receive = ({ db }: Desk, { uid, id }: Due, now: number): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, uid, id)
    return order !== null && (await move(tx, order, 'receive', now, { completed_at: now })) !== null
  })
