import { point } from '#src/contract/point.ts'
import { sharedQuery } from './query.ts'

/** Names of 知识点 by their numbers. */
export const pointNamesQuery = () => sharedQuery(point.getNames, {})
