import { query } from '#src/api/query.ts'
import { question } from '#src/contract/question.ts'

export const blockQuery = (no: string, at: number) => query(question.block, { no, at })
