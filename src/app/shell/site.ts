import { query } from '#src/api/query.ts'
import { getSite } from '#src/contract/config.ts'

export const siteQuery = () => query(getSite, {})
