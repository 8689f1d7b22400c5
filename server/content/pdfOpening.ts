import { createRequire } from 'node:module'
import path from 'node:path'
import { MOST_PIXELS } from '#src/domain/app/pdfBounds.ts'

const folder = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

/**
 * A document is opened with these by each thread that reads one. The library itself is not imported here: it reads the globals when it is
 * loaded, after they were bounded.
 */
export const openingOf = (data: Uint8Array) => ({
  data,
  cMapUrl: `${folder}/cmaps/`,
  standardFontDataUrl: `${folder}/standard_fonts/`,
  wasmUrl: `${folder}/wasm/`,
  maxImageSize: MOST_PIXELS,
  enableXfa: false,
})
