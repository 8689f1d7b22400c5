import { query } from '#src/api/query.ts'
import { vip } from '#src/contract/vip.ts'

export const vipListQuery = () => query(vip.list, {})
export const vipQuery = (no: string) => query(vip.detail, { no })
export const myVipQuery = () => query(vip.mine, {})
