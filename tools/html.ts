import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Plugin, transformWithOxc } from 'vite'

const EARLY = path.resolve(import.meta.dirname, '../src/app/early.ts')

/**
 * Puts into index.html what the first screen must not wait for: its styles and the script that asks for its data. On a slow
 * network each request after another costs half a second. Lazy chunks then need not ask for those styles either.
 */
export function html(): Plugin {
  const inlined = new Set<string>()
  return {
    name: 'first-screen',
    apply: 'build',
    enforce: 'post',
    config: () => ({
      build: {
        modulePreload: { resolveDependencies: (_, deps) => deps.filter((dep) => !inlined.has(dep)) },
      },
    }),
    generateBundle: {
      // Before the names of lazy chunks' dependencies are written.
      order: 'pre',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk' && chunk.isEntry)
            for (const name of [chunk.fileName, ...chunk.imports])
              for (const css of cssOf(bundle[name])) inlined.add(css)
      },
    },
    transformIndexHtml: {
      order: 'post',
      async handler(page, { bundle = {} }) {
        const { code } = await transformWithOxc(await readFile(EARLY, 'utf8'), 'early.ts')
        const script = `<script>{${code.replace(/^export \{.*$/m, '').replace(/\/\*[\s\S]*?\*\//g, '')}}</script>`
        return page
          .replace('</head>', () => `${script}</head>`)
          .replace(/\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g, (link, name: string) => {
            const asset = bundle[name]
            return asset?.type === 'asset' ? `<style>${String(asset.source).trim()}</style>` : link
          })
      },
    },
  }
}

type Output = { type: string; viteMetadata?: { importedCss: Set<string> } }
const cssOf = (output: Output | undefined): Iterable<string> => output?.viteMetadata?.importedCss ?? []
