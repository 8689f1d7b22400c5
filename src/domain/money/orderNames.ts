import type { CouponState } from '#src/contract/coupon.ts'
import type { OrderState } from '#src/contract/order.ts'
import type { WalletKind } from '#src/contract/wallet.ts'

/** As a student reads them, on screens and in files. */
export const ORDER_STATE_NAMES: Record<OrderState, string> = {
  pending: '待支付',
  paid: '待发货',
  shipped: '已发货',
  completed: '已完成',
  cancelled: '已取消',
  refunding: '退款中',
  refunded: '已退款',
}
export const WALLET_KIND_NAMES: Record<WalletKind, string> = {
  topUp: '充值',
  pay: '订单支付',
  release: '订单取消，退回',
  refund: '退款',
  payOut: '余额退还',
}
export const COUPON_STATE_NAMES: Record<CouponState, string> = { usable: '可用', used: '已用', over: '过期' }

/** 口袋书 等3件 */
export const goodsText = ({ title, quantity }: { title: string; quantity: number }): string =>
  quantity > 1 ? `${title} 等${quantity}件` : title
