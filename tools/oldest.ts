import type { Plugin } from 'vite'

/**
 * The legacy build of pdf.js brings along what a browser lacks. The writer of Word files makes such an expression only while it fills
 * a template, which this product never asks of it.
 */
const OWN_MEANS = /^assets\/(?:pdf[-.]|word-)/
/**
 * A regular expression that looks behind: it stops a whole file in the oldest browsers of ours (vite.config.ts: target), and is
 * neither turned into older script by the build nor refused by TypeScript's `lib`, as all else is.
 */
const TOO_NEW = /\(\?<[=!]/

/** Fails a build that the oldest browsers could not read. */
export const oldest = (): Plugin => ({
  name: 'oldest-browsers',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || OWN_MEANS.test(chunk.fileName)) continue
        const found = TOO_NEW.exec(chunk.code)
        if (found) {
          const around = chunk.code.slice(Math.max(0, found.index - 40), found.index + 40)
          throw new Error(`${chunk.fileName} has what Safari 15.4 cannot read: ${around}`)
        }
      }
    },
  },
})
