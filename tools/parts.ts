import type { Plugin, Rolldown } from 'vite'

/**
 * Files of the app that are not precached, because they weigh much and few need them, or because nothing can be done with them
 * before a first answer of the server has come: the page keeps those that it uses.
 */
export const KEPT_WHEN_USED = [
  'pdf',
  'PdfReader',
  'lesson',
  'chrome',
  'hls',
  'seen',
  'shop',
  'address',
  'regions',
  'passwords',
  'security',
  'exportOnline',
  'exam_rank',
  'install',
  'QrCode',
  'mathFont',
] as const
const PART = new RegExp(`^assets/(${KEPT_WHEN_USED.join('|')})[-.][^/]*\\.(js|css|woff2)$|^assets/pdf-[^/]*/`)

/** What only leads to a part has none. */
const hasCode = ({ modules }: Rolldown.OutputChunk): boolean =>
  Object.values(modules).some(({ renderedLength }) => renderedLength > 0)
const isPart = (file: string): boolean => PART.test(file)

/** parts.json: where those of this version are, so that an update brings them to who has them (src/sw/parts.ts). */
export const parts = (): Plugin => ({
  name: 'parts',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const list = Object.keys(bundle).filter(isPart)
      if (KEPT_WHEN_USED.some((name) => !list.some((file) => /^assets\/(\w+)/.exec(file)?.[1] === name)))
        throw new Error(`a part that is kept when used has another name: ${list.join(', ')}`)
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && !isPart(chunk.fileName) && hasCode(chunk) && chunk.imports.some(isPart))
          throw new Error(
            `${chunk.fileName} is precached and needs ${chunk.imports.filter(isPart).join()}, which is not`,
          )
      this.emitFile({
        type: 'asset',
        fileName: 'parts.json',
        source: JSON.stringify(list.toSorted().map((file) => `/${file}`)),
      })
    },
  },
})
