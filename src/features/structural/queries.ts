import { sharedQuery } from '#src/api/query.ts'
import { structural } from '#src/contract/structural.ts'

export const areaListQuery = () => sharedQuery(structural.areaList, {})
/** Directions open in an area; its own `area` overrides the automatic one. */
export const directionsQuery = (area: string) => sharedQuery(structural.getList, { area })
