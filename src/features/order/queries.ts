import { query } from '#src/api/query.ts'
import type { Input } from '#src/contract/endpoint.ts'
import { order } from '#src/contract/order.ts'
import { WHEREVER } from '#src/sale/seen.tsx'

export const quoteQuery = (wanted: Input<typeof order.preview>) => ({ ...query(order.preview, wanted), staleTime: 0 })
export const orderQuery = (id: string) => ({ ...query(order.detail, { id }, WHEREVER), staleTime: 0 })
