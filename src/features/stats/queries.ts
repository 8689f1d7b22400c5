import { query, sharedQuery } from '#src/api/query.ts'
import { point } from '#src/contract/point.ts'
import { question } from '#src/contract/question.ts'

export const libraryListQuery = () => query(question.libraryList, {})
export const pointNamesQuery = () => sharedQuery(point.getNames, {})
