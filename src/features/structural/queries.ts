import { sharedQuery } from '#src/api/query.ts'
import { contract } from '#src/contract/index.ts'

export const areaListQuery = () => sharedQuery(contract.structural.areaList, {})
/** Directions open in an area; its own `area` overrides the automatic one. */
export const directionsQuery = (area: string) => sharedQuery(contract.structural.getList, { area })
