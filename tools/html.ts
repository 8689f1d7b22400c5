import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { minify, type Plugin, type Rolldown, transformWithOxc } from 'vite'

const SRC = path.resolve(import.meta.dirname, '../src')
const STUDY = 'library_study.$no.$count.$title.tsx'

/**
 * Puts into index.html what the first screen must not wait for: styles of the shell and of the player, and the script that asks
 * for the first data. On a slow network each request after another costs half a second. Lazy chunks need not ask for those
 * styles either.
 */
export function html(): Plugin {
  const inlined = new Set<string>()
  return {
    name: 'first-screen',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        for (const chunk of firstChunks(bundle)) {
          for (const css of cssOf(chunk)) inlined.add(css)
          chunk.viteMetadata?.importedCss.clear()
        }
      },
    },
    transformIndexHtml: {
      order: 'post',
      async handler(page, { bundle = {} }) {
        const study = studyFiles(bundle)
        if (study.length === 0) throw new Error(`no chunk of ${STUDY}`)
        const early = await inline('app/early.ts')
        const view = await inline('session/showView.ts')
        const script = early.replace('STUDY_SCREEN', JSON.stringify(study.map((name) => `/${name}`)))
        const styles = [...inlined].map((name) => sourceOf(bundle[name])).join('')
        for (const name of inlined) delete bundle[name]
        return (
          page
            .replaceAll(/\s*<link rel="stylesheet"[^>]*>/g, '')
            // Before the entry, and so run in a task of its own.
            .replace(
              /(<script type="module"[^>]*><\/script>)([\s\S]*?)<link rel="modulepreload"([^>]*)href="(\/assets\/vendor-[^"]*)">/,
              VENDOR_FIRST,
            )
            .replace('</head>', () => `<style>${styles}</style><script>{${script}}</script></head>`)
            .replace('<noscript>', () => `<script>{${view}}</script><noscript>`)
        )
      },
    },
  }
}

const VENDOR_FIRST = '<script type="module"$3src="$4"></script>$1$2'

/** A file of ours as a script of the page itself. */
async function inline(name: string): Promise<string> {
  const { code } = await transformWithOxc(await readFile(path.join(SRC, name), 'utf8'), name)
  const { code: small } = await minify(name, code.replaceAll(/^export /gm, ''), { module: false })
  return small.trim()
}

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } }

const chunksOf = (bundle: Bundle): Chunk[] => Object.values(bundle).filter((output) => output.type === 'chunk')
/** Holds its component, which the router splits off; the route itself comes with the entry. */
const isStudy = (chunk: Chunk): boolean => chunk.moduleIds.some((id) => id.includes(`${STUDY}?`))

/** A chunk and all that it imports before it runs. */
function withImports(bundle: Bundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name]
  if (chunk?.type !== 'chunk' || found.has(name)) return found
  found.add(name)
  for (const each of chunk.imports) withImports(bundle, each, found)
  return found
}
const allOf = (bundle: Bundle, which: (chunk: Chunk) => boolean): Set<string> =>
  new Set(chunksOf(bundle).flatMap((chunk) => (which(chunk) ? [...withImports(bundle, chunk.fileName)] : [])))

/** The entry, the study screen, and what they import. */
const firstChunks = (bundle: Bundle): Chunk[] => {
  const names = allOf(bundle, (chunk) => chunk.isEntry || isStudy(chunk))
  return chunksOf(bundle).filter((chunk) => names.has(chunk.fileName))
}
/** Of the study screen, what does not come with the page anyway. */
function studyFiles(bundle: Bundle): string[] {
  const here = allOf(bundle, (chunk) => chunk.isEntry)
  return [...allOf(bundle, isStudy)].filter((name) => !here.has(name))
}
const cssOf = (chunk: Chunk): Iterable<string> => chunk.viteMetadata?.importedCss ?? []
const sourceOf = (output: Bundle[string] | undefined): string =>
  output?.type === 'asset' ? String(output.source).trim() : ''
