import type { OrderState } from '#src/contract/order.ts'

/** So long an order can be paid. */
export const PAY_MS = 30 * 60_000
/** So long after it was completed a refund can be asked for. */
export const REFUND_DAYS = 7
/** So long after it was sent an order that nobody confirmed is taken as received. */
export const RECEIVE_DAYS = 10
const DAY_MS = 86_400_000

/**
 * `deliver` hands out what needs no parcel; `late` is money that came for an order which had ended; `giveBack` is the shop's, whenever
 * it wants; `decline` gives a refund that was asked for back to the state it was asked in.
 */
export type OrderEvent =
  | 'pay'
  | 'deliver'
  | 'ship'
  | 'receive'
  | 'cancel'
  | 'expire'
  | 'askRefund'
  | 'giveBack'
  | 'late'
  | 'refund'
  | 'decline'

/** Everything that can happen to an order. What is not here is refused, or has been done. */
const NEXT: Record<OrderState, Partial<Record<OrderEvent, OrderState>>> = {
  pending: { pay: 'paid', cancel: 'cancelled', expire: 'cancelled' },
  paid: { deliver: 'completed', ship: 'shipped', askRefund: 'refunding', giveBack: 'refunding' },
  shipped: { receive: 'completed', askRefund: 'refunding', giveBack: 'refunding' },
  completed: { askRefund: 'refunding', giveBack: 'refunding' },
  cancelled: { late: 'refunding' },
  refunding: { refund: 'refunded' },
  refunded: {},
}

/** What an order is known by here. */
export interface OrderFacts {
  state: OrderState
  ships: boolean
  expiresAt: number
  completedAt: number | null
  /** In which state a refund was asked for. */
  askedIn?: OrderState | null
}

/** The state after it; null when this cannot happen to it at the moment `now`, epoch ms. */
export function afterEvent(order: OrderFacts, event: OrderEvent, now: number): OrderState | null {
  if (event === 'decline') return order.state === 'refunding' ? (order.askedIn ?? null) : null
  const next = NEXT[order.state][event] ?? null
  if (event === 'deliver' && order.ships) return null
  if (event === 'ship' && !order.ships) return null
  if (event === 'askRefund' && order.completedAt !== null && now >= refundsUntil(order.completedAt)) return null
  return next
}

export const refundsUntil = (completedAt: number): number => completedAt + REFUND_DAYS * DAY_MS
