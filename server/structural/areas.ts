import type { Db } from '#server/db/open.ts'
import { writeStructure } from './store.ts'

/** Provincial units by the two-digit keys of GB/T 2260. 全国 (key '0') is added by the client. */
const AREAS =
  '11北京 12天津 13河北 14山西 15内蒙古 21辽宁 22吉林 23黑龙江 31上海 32江苏 33浙江 34安徽 35福建 36江西 37山东 41河南 42湖北 43湖南 44广东 45广西 46海南 50重庆 51四川 52贵州 53云南 54西藏 61陕西 62甘肃 63青海 64宁夏 65新疆'

export const areas = AREAS.split(' ').map((text) => ({ key: text.slice(0, 2), name: text.slice(2) }))

/** They are the same for every operator, with or without the demo. */
export const writeAreas = (db: Db): Promise<void> => writeStructure(db, { areas, categories: [] })
