import { query } from '#src/api/query.ts'
import { contract } from '#src/contract/index.ts'

export const siteQuery = () => query(contract.config.getSite, {})
