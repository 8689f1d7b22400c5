import { query } from '#src/api/query.ts'
import { chapter } from '#src/contract/question.ts'

export { libraryListQuery } from '#src/api/libraries.ts'
export const outlineQuery = (no: string) => query(chapter, { no })
