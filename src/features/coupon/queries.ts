import { query } from '#src/api/query.ts'
import { coupon } from '#src/contract/coupon.ts'
import { WHEREVER } from '#src/sale/checkout/seen.tsx'

export const couponsQuery = () => ({ ...query(coupon.mine, {}, WHEREVER), staleTime: 0 })
