import { sharedQuery } from '#src/api/query.ts'
import { getList } from '#src/contract/structural.ts'

/** Directions open in an area; its own `area` overrides the automatic one. */
export const directionsQuery = (area: string) => sharedQuery(getList, { area })
