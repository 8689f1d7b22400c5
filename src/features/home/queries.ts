import { query } from '#src/api/query.ts'
import { getHomeData } from '#src/contract/homeData.ts'

export const homeQuery = () => query(getHomeData, {})
