import { pagesQuery } from '#src/api/pages.ts'
import { query } from '#src/api/query.ts'
import type { Input } from '#src/contract/endpoint.ts'
import { order, type OrderState } from '#src/contract/order.ts'
import { WHEREVER } from '#src/sale/checkout/seen.tsx'

export const quoteQuery = (wanted: Input<typeof order.preview>) => ({ ...query(order.preview, wanted), staleTime: 0 })
export const orderQuery = (id: string) => ({ ...query(order.detail, { id }, WHEREVER), staleTime: 0 })
export const ordersQuery = (states: OrderState[]) =>
  pagesQuery(order.list, (cursor) => ({ states, ...(cursor && { cursor }) }), WHEREVER)
