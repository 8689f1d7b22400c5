import { query } from '#src/api/query.ts'
import { coupon } from '#src/contract/coupon.ts'

export const couponsQuery = () => ({ ...query(coupon.mine, {}), staleTime: 0 })
