import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { minify, type Plugin, type Rolldown, transformWithOxc } from 'vite'

const SRC = path.resolve(import.meta.dirname, '../src')
/** Where students arrive, as the first two steps of its path (app/early.ts), and the route's file. */
const ARRIVALS = {
  '/': '_shell/index.tsx',
  'question/library': '_shell/question/library.tsx',
  'question/library_study': '_shell/question/library_study.$no.$count.$title.tsx',
}

/**
 * Puts into index.html what a first screen must not wait for: its styles, and the script that asks for its files and data. On a slow network each request after another costs half a second. Lazy chunks need not ask for those
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
        const screens = Object.entries(ARRIVALS).map(([path, route]) => [path, filesOf(bundle, route)])
        const early = await inline('app/early.ts')
        const view = await inline('session/showView.ts')
        const script = early.replace('SCREENS', JSON.stringify(Object.fromEntries(screens)))
        const styles = [...inlined].map((name) => sourceOf(bundle[name])).join('')
        for (const name of inlined) delete bundle[name]
        return named(
          page
            .replaceAll(/\s*<link rel="stylesheet"[^>]*>/g, '')
            // Before the entry, and so run in a task of its own.
            .replace(
              /(<script type="module"[^>]*><\/script>)([\s\S]*?)<link rel="modulepreload"([^>]*)href="(\/assets\/vendor-[^"]*)">/,
              VENDOR_FIRST,
            )
            .replace('</head>', () => `<style>${styles}</style><script>{${script}}</script></head>`)
            .replace('<noscript>', () => `<script>{${view}}</script><noscript>`),
        )
      },
    },
  }
}

/**
 * Names the build on its page by all that the page holds, styles and names of files alike: what was kept of another build's screens is
 * not shown by this one (session/showView.ts).
 */
const named = (page: string): string =>
  page.replace('<html ', `<html data-build="${createHash('sha256').update(page).digest('base64url').slice(0, 12)}" `)

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
/** Holds the route's component, which the router splits off, unless it comes with the entry as the route itself does. */
const holds = (chunk: Chunk, route: string): boolean => chunk.moduleIds.some((id) => id.includes(`${route}?`))
const isInEntry = (bundle: Bundle, route: string): boolean =>
  chunksOf(bundle).some((chunk) => chunk.moduleIds.some((id) => id.endsWith(`/${route}`))) &&
  !chunksOf(bundle).some((chunk) => holds(chunk, route))

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

/** The entry, the screens of arrival, and what they import. */
const firstChunks = (bundle: Bundle): Chunk[] => {
  const routes = Object.values(ARRIVALS)
  const names = allOf(bundle, (chunk) => chunk.isEntry || routes.some((route) => holds(chunk, route)))
  return chunksOf(bundle).filter((chunk) => names.has(chunk.fileName))
}
/** Of a screen, what does not come with the page anyway. */
function filesOf(bundle: Bundle, route: string): string[] {
  const screen = allOf(bundle, (chunk) => holds(chunk, route))
  if (screen.size === 0 && !isInEntry(bundle, route)) throw new Error(`no chunk of ${route}`)
  const here = allOf(bundle, (chunk) => chunk.isEntry)
  return [...screen].filter((name) => !here.has(name)).map((name) => `/${name}`)
}
const cssOf = (chunk: Chunk): Iterable<string> => chunk.viteMetadata?.importedCss ?? []
const sourceOf = (output: Bundle[string] | undefined): string =>
  output?.type === 'asset' ? String(output.source).trim() : ''
