import { query } from '#src/api/query.ts'
import { contract } from '#src/contract/index.ts'

export const areaListQuery = () => query(contract.structural.areaList, {})
/** Directions open in an area; its own `area` overrides the automatic one. */
export const directionsQuery = (area: string) => query(contract.structural.getList, { area })
