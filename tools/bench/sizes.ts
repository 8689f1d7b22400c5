import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { DIST } from './build.ts'
import type { Figure } from './figures.ts'

const KB = 1024
/** Budgets in bytes: of the first load, and of all files until the first question, less 3 KB for its data. */
export const BYTES = {
  js: 175 * KB,
  question: 212 * KB,
  css: 20 * KB,
  html: 30 * KB,
  worker: 20 * KB,
  precache: 650 * KB,
} as const

/** Where a student arrives, as the routes that its screen is made of. */
export const ARRIVALS = {
  home: ['/_shell', '/_shell/'],
  list: ['/_shell', '/_shell/question/library'],
  question: ['/_shell', '/_shell/question/library_study/$no/$count/$title'],
} as const
export type Arrival = keyof typeof ARRIVALS

export interface Sizes {
  /** By arrival, gzipped bytes, and the files they are made of, largest first. */
  js: Record<Arrival, number>
  css: Record<Arrival, number>
  files: Record<Arrival, { name: string; bytes: number }[]>
  html: number
  /** Page and scripts until the first question as they travel: brotli, which server/http/static.ts prefers. */
  wire: number
  worker: number
  precache: number
  precached: string[]
}

/** Reads a build. @throws when there is none, or when it is made in a way that this reader would count too little of. */
export function measureSizes(dist = DIST): Sizes {
  if (!existsSync(path.join(dist, 'index.html'))) throw new Error(`no build in ${dist}: run npm run build`)
  const read = (file: string) => readFileSync(path.join(dist, file), 'utf8')
  const html = read('index.html')
  const linked = [...html.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].flatMap(
    ([, file]) => file ?? [],
  )
  const base = closure(linked, read)
  // Styles that travel inside the page are styles as well as page.
  const styles = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, css]) => css ?? '').join('')
  const inline = styles === '' ? [] : [{ name: 'index.html.css', bytes: gzipSync(styles, { level: 9 }).length }]
  const arrivals = Object.entries(ARRIVALS).map(([arrival, routes]) => {
    const files = closure([...base, ...routes.flatMap((route) => routeFiles(route, base, read))], read)
    const all = [...files.map((name) => ({ name, bytes: zipped(dist, name) })), ...inline]
    return [arrival, all.toSorted((a, b) => b.bytes - a.bytes)]
  })
  const files: Sizes['files'] = Object.fromEntries(arrivals)
  const sum = (ending: string) =>
    Object.fromEntries(
      Object.entries(files).map(([arrival, list]) => [
        arrival,
        list.filter(({ name }) => name.endsWith(ending)).reduce((all, { bytes }) => all + bytes, 0),
      ]),
    ) as Record<Arrival, number>
  const precached = precacheOf(read('sw.js'))
  return {
    files,
    js: sum('.js'),
    css: sum('.css'),
    html: zipped(dist, 'index.html'),
    wire: ['index.html', ...(files.question ?? []).map(({ name }) => name).filter((name) => name.endsWith('.js'))]
      .map((name) => brotliCompressSync(readFileSync(path.join(dist, name))).length)
      .reduce((all, bytes) => all + bytes, 0),
    worker: zipped(dist, 'sw.js'),
    precache: [...new Set(precached)].reduce((all, file) => all + zipped(dist, file), 0),
    precached,
  }
}

/** As server/http/static.ts sends it: pictures travel as they are. */
function zipped(dist: string, file: string): number {
  const plain = readFileSync(path.join(dist, file))
  return /\.(png|jpe?g|webp|woff2)$/.test(file) ? plain.length : gzipSync(plain, { level: 9 }).length
}

/** The files and everything they import statically. */
function closure(files: readonly string[], read: (file: string) => string): string[] {
  const found = new Set<string>()
  const add = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    if (!file.endsWith('.js')) return
    for (const [, name] of read(file).matchAll(/\b(?:from|import)\s*[`"']\.\/([^`"']+\.js)[`"']/g))
      add(`assets/${name}`)
  }
  for (const file of files) add(file)
  return [...found]
}

/** The chunk of a route's component with the styles that Vite loads beside it; nothing for a route that is loaded at once. */
function routeFiles(route: string, initial: readonly string[], read: (file: string) => string): string[] {
  for (const file of initial.filter((name) => name.endsWith('.js'))) {
    const code = read(file)
    // createFileRoute('<route>')({ … }), up to the next one.
    const [, after] = code.split(new RegExp(`[\`"']${route.replaceAll(/[$/{}.-]/g, '\\$&')}[\`"']\\)\\(\\{`))
    if (after === undefined) continue
    const options = after.split(')({')[0] ?? ''
    // `component` but not `errorComponent`, with the list of files that Vite writes behind the import.
    const split =
      /\bcomponent:[^;]*?import\([`"']\.\/([^`"']+)[`"']\)(?:\.then\(\w+=>\w+\.\w+\))?(?:,__vite__mapDeps\(\[([\d,]*)\]\))?/
    const [, chunk, deps = ''] = split.exec(options) ?? []
    if (!chunk) return []
    const table: string[] = JSON.parse(/\bm\.f=(\[.*?\])/s.exec(code)?.[1] ?? '[]')
    return [`assets/${chunk}`, ...deps.split(',').flatMap((at) => (at === '' ? [] : (table[Number(at)] ?? [])))]
  }
  throw new Error(`the build has no route ${route}: tools/bench/sizes.ts must learn where it went`)
}

/** Every file of the worker's manifest; one that stands there in two revisions comes twice, as it is fetched twice. */
function precacheOf(worker: string): string[] {
  const entries = new Set(
    [...worker.matchAll(/\{[^{}]*?["']?\burl["']?:[^{}]*\}/g)].flatMap(([entry]) => {
      const [, url] = /["']?\burl["']?:\s*[`"']([^`"']+)[`"']/.exec(entry) ?? []
      const [, revision = ''] = /["']?\brevision["']?:\s*[`"']?([^`"',}]*)/.exec(entry) ?? []
      return url && revision ? [`${url.replace(/^\//, '')} ${revision}`] : []
    }),
  )
  if (entries.size === 0) throw new Error('sw.js has no precache manifest')
  return [...entries].map((entry) => entry.split(' ')[0] ?? '')
}

export async function sizes(): Promise<Figure[]> {
  const found = measureSizes()
  const kb = (name: string, bytes: number, max: number, note?: string): Figure => ({
    name,
    value: bytes / KB,
    unit: 'KB',
    budget: { max: max / KB },
    ...(note !== undefined && { note }),
  })
  const parts = (arrival: Arrival, ending: string) =>
    found.files[arrival]
      .filter(({ name }) => name.endsWith(ending))
      .slice(0, 6)
      .map(({ name, bytes }) => `${path.basename(name).replace(/-[\w-]{8}(?=\.)/, '')} ${(bytes / KB).toFixed(1)}`)
      .join(', ')
  return [
    ...(Object.keys(ARRIVALS) as Arrival[]).flatMap((arrival) => [
      ...(arrival === 'question'
        ? []
        : [kb(`first load at the ${arrival}: JS, gz`, found.js[arrival], BYTES.js, parts(arrival, '.js'))]),
      kb(`first load at the ${arrival}: CSS, gz`, found.css[arrival], BYTES.css, parts(arrival, '.css')),
    ]),
    kb('files until the first question, as they travel', found.wire, BYTES.question, parts('question', '.js')),
    kb('index.html, gz', found.html, BYTES.html),
    kb('service worker, gz', found.worker, BYTES.worker),
    kb('whole precache, gz', found.precache, BYTES.precache, `${found.precached.length} files`),
    {
      name: 'files precached twice',
      value: found.precached.length - new Set(found.precached).size,
      unit: '',
      budget: { max: 0 },
    },
  ]
}
