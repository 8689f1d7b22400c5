import { query } from '#src/api/query.ts'
import { config } from '#src/contract/config.ts'

export const siteQuery = () => query(config.getSite, {})
