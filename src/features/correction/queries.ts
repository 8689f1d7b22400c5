import { query } from '#src/api/query.ts'
import { question } from '#src/contract/question.ts'

export const libraryListQuery = () => query(question.libraryList, {})
