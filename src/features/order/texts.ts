import type { OrderHead, OrderState } from '#src/contract/order.ts'
import { ORDER_STATE_NAMES } from '#src/domain/money/orderNames.ts'

export const stateText = ({ state }: Pick<OrderHead, 'state'>): string => ORDER_STATE_NAMES[state]

/** What is on its way first; each with its states, none: all. */
export const TABS: readonly { name: string; states: OrderState[] }[] = [
  { name: '全部', states: [] },
  { name: '待支付', states: ['pending'] },
  { name: '待发货', states: ['paid'] },
  { name: '待收货', states: ['shipped'] },
  { name: '已完成', states: ['completed'] },
  { name: '退款', states: ['refunding', 'refunded'] },
  { name: '已取消', states: ['cancelled'] },
]

/** Said before anybody pays. */
export const RULES =
  '虚拟商品付款后立即生效；图书按订单顺序发货。付款前可随时取消；完成后 7 天内可以申请退款，款项原路退回。一次付清，不会自动续费。'

/** 29:05 */
export function leftText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
