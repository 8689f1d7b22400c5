import { query } from '#src/api/query.ts'
import { questionSet } from '#src/contract/questionSet.ts'

export const setListQuery = () => query(questionSet.list, {})
export const setQuery = (no: string) => query(questionSet.detail, { no })
export const paperQuery = (no: string, itemNo: string) => query(questionSet.paper, { no, itemNo })
