import type { Plugin } from 'vite'

/**
 * Puts the first screen's styles into index.html: on a slow network each request before the first paint costs half a second.
 * Lazy chunks then need not ask for that file either.
 */
export function initialCss(): Plugin {
  const inlined = new Set<string>()
  return {
    name: 'initial-css',
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
      handler(html, { bundle = {} }) {
        return html.replace(/\s*<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g, (link, name: string) => {
          const asset = bundle[name]
          return asset?.type === 'asset' ? `<style>${String(asset.source).trim()}</style>` : link
        })
      },
    },
  }
}

type Output = { type: string; viteMetadata?: { importedCss: Set<string> } }
const cssOf = (output: Output | undefined): Iterable<string> => output?.viteMetadata?.importedCss ?? []
