import type { Plugin } from 'vite'

/** Files of the app that are not precached, because they weigh much and few need them: the page keeps those that it uses. */
export const KEPT_WHEN_USED = ['pdf', 'PdfReader', 'lesson', 'chrome', 'hls'] as const
const PART = new RegExp(`^assets/(${KEPT_WHEN_USED.join('|')})[-.][^/]*\\.(js|css)$`)

/** parts.json: where those of this version are, so that an update brings them to who has them (src/sw/parts.ts). */
export const parts = (): Plugin => ({
  name: 'parts',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const list = Object.keys(bundle).filter((file) => PART.test(file))
      if (KEPT_WHEN_USED.some((name) => !list.some((file) => /^assets\/(\w+)/.exec(file)?.[1] === name)))
        throw new Error(`a part that is kept when used has another name: ${list.join(', ')}`)
      this.emitFile({
        type: 'asset',
        fileName: 'parts.json',
        source: JSON.stringify(list.toSorted().map((file) => `/${file}`)),
      })
    },
  },
})
