import { query } from '#src/api/query.ts'
import { question } from '#src/contract/question.ts'

export { libraryListQuery } from '#src/api/libraries.ts'
export const outlineQuery = (no: string) => query(question.chapter, { no })
export const blockQuery = (no: string, at: number) => query(question.block, { no, at })
