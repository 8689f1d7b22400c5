import { pagesQuery } from '#src/api/pages.ts'
import { query } from '#src/api/query.ts'
import { coupon } from '#src/contract/coupon.ts'
import { order, type OrderState } from '#src/contract/order.ts'
import { WHEREVER } from './seen.tsx'

/** 我的 counts these, besides the pages that list it. */
export const couponsQuery = () => ({ ...query(coupon.mine, {}, WHEREVER), staleTime: 0 })
export const ordersQuery = (states: OrderState[]) =>
  pagesQuery(order.list, (cursor) => ({ states, ...(cursor && { cursor }) }), WHEREVER)
