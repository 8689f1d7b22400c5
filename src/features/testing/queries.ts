import { query } from '#src/api/query.ts'
import { testing } from '#src/contract/testing.ts'

export const testingListQuery = () => query(testing.list, {})
export const testingQuery = (no: string) => query(testing.detail, { no })
export const testingPaperQuery = (no: string) => query(testing.paper, { no })
