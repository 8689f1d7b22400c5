import { areaList } from '@vant/area-data'
import type { Plugin } from 'vite'
import { regionText } from '../src/domain/address/regions.ts'

const ID = 'virtual:regions'

/** `virtual:regions`: the text of all provinces, cities and districts (src/domain/address/regions.ts), for the address form. */
export const regions = (): Plugin => ({
  name: 'regions',
  resolveId: (id) => (id === ID ? `\0${ID}` : null),
  load: (id) => (id === `\0${ID}` ? `export default ${JSON.stringify(regionText(areaList))}` : null),
})
