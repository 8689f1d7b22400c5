import type { Plugin, Rolldown } from 'vite'
import { partPaths, partsNamed } from '../src/domain/app/appParts.ts'

/**
 * Folders whose code is not precached, because it weighs much and few need it, or because nothing can be done with it before a first
 * answer of the server has come: the page keeps what it used. The last name of the path is the name of its file, which an update looks
 * for (src/sw/updateLazyAssets.ts); a folder that is renamed is entered there.
 */
const PART_FOLDERS = [
  'features/course/lesson',
  'features/course/lesson/chrome',
  'features/course/lesson/hls',
  'features/pdf/reader',
  'features/store',
  'features/vip',
  'features/order',
  'features/wallet',
  'features/coupon',
  'features/address',
  'features/account/portraitEditor',
  'features/agreement/consent',
  'features/question/errorBook/word',
  'features/login/dialog',
  'features/login/security',
  'features/exam/rank',
  'sale/checkout',
  'install/guide',
  'ui/qrCode',
  'upload/cos',
].toSorted((a, b) => b.length - a.length)
/** Files of parts that are no code of ours: fonts for formulae, and what the reader of documents fetches by itself. */
const PART_FILE = /\.woff2$|^assets\/pdf-[^/]*\/|^assets\/pdf\.worker-/

/** The name of the part that a module belongs to. */
export function partOf(id: string): string | null {
  const made = /^\0?virtual:(regions|passwords)/.exec(id)?.[1]
  if (made) return made
  const own = PART_FOLDERS.find((each) => id.includes(`/src/${each}/`))
  return own?.split('/').at(-1) ?? null
}

/**
 * A file's name without its hash. That of a part is its folder's, by which an update knows it again; the others have no parameters of
 * routes, as each name stands in the worker's list, and no hyphen, where the hash begins.
 */
export const fileName = (name: string, ids: readonly string[]): string =>
  ids.map((id) => partOf(id.startsWith('src/') ? `/${id}` : id)).find((part) => part !== null) ??
  (name.split('.')[0] ?? '').replaceAll('-', '')

type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } }
const chunksOf = (bundle: Rolldown.OutputBundle): Chunk[] =>
  Object.values(bundle).filter((output) => output.type === 'chunk')
/** Returns the modules that have code in a chunk; a chunk that only leads to another one has none. */
const codeOf = ({ modules }: Chunk): string[] =>
  Object.entries(modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []))

/**
 * Chunks that are not precached: those that hold something of such a folder, and what only they import at once. What they load later is
 * precached, unless it lies in such a folder itself.
 * @throws when a chunk that is precached needs one of those at once
 */
function partChunks(chunks: ReadonlyMap<string, Chunk>): Chunk[] {
  const seen = { precached: new Set<string>(), part: new Set<string>() }
  const enter = (file: string, fromPart: boolean): void => {
    const chunk = chunks.get(file)
    if (!chunk) return
    const isPart = fromPart || kindsOf(chunk).length > 0
    const { [isPart ? 'part' : 'precached']: done } = seen
    if (done.has(file)) return
    done.add(file)
    const needed = chunk.imports.find((each) => kindsOf(chunks.get(each)).length > 0)
    if (!isPart && needed && codeOf(chunk).length > 0)
      throw new Error(`${file} is precached and needs ${needed}, which is not`)
    for (const each of chunk.imports) enter(each, isPart)
    for (const each of chunk.dynamicImports) enter(each, false)
  }
  for (const { isEntry, fileName } of chunks.values()) if (isEntry) enter(fileName, false)
  return [...chunks.values()].filter(({ fileName }) => !seen.precached.has(fileName))
}

/** The parts that a chunk holds something of. */
const kindsOf = (chunk: Chunk | undefined): string[] => [
  ...new Set((chunk ? codeOf(chunk) : []).flatMap((id) => partOf(id) ?? [])),
]

/**
 * Addresses of the files of parts. A file whose name does not tell which part it belongs to has that behind a #: styles that two chunks
 * share are named by the bundler.
 */
function listParts(bundle: Rolldown.OutputBundle): string[] {
  const chunks = new Map(chunksOf(bundle).map((chunk) => [chunk.fileName, chunk]))
  const late = partChunks(chunks)
  const stylesOf = ({ viteMetadata }: Chunk): string[] => [...(viteMetadata?.importedCss ?? [])]
  const early = new Set([...chunks.values()].filter((chunk) => !late.includes(chunk)).flatMap(stylesOf))
  const styles = late.flatMap((chunk) =>
    stylesOf(chunk).flatMap((file) => (early.has(file) ? [] : { file, kinds: kindsOf(chunk) })),
  )
  const files = Object.keys(bundle).filter((file) => PART_FILE.test(file))
  const all = [...late.map((chunk) => ({ file: chunk.fileName, kinds: kindsOf(chunk) })), ...styles]
  const named = all.map(({ file, kinds }) => {
    const others = kinds.filter((kind) => !file.startsWith(`assets/${kind}-`))
    return others.length > 0 ? `${file}#${others.join()}` : file
  })
  return [...new Set([...named, ...files])].map((file) => `/${file}`).toSorted()
}

/** Chunks that import each other run in an order that nobody chose: a name may be read before it is there. */
export function circleOf(chunks: readonly Pick<Chunk, 'fileName' | 'imports'>[]): string[] | null {
  const imports = new Map(chunks.map((chunk) => [chunk.fileName, chunk.imports]))
  const done = new Set<string>()
  const walk = (file: string, way: string[]): string[] | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return null
    for (const next of imports.get(file) ?? []) {
      const circle = walk(next, [...way, file])
      if (circle) return circle
    }
    done.add(file)
    return null
  }
  for (const { fileName } of chunks) {
    const circle = walk(fileName, [])
    if (circle) return circle
  }
  return null
}

/** Files of this build that are not precached, for the list of those that are (tools/pwa.ts). */
export const notPrecached = new Set<string>()

/** parts.json: where those of this version are, so that an update brings them to who has them (src/sw/updateLazyAssets.ts). */
export const parts = (): Plugin => ({
  name: 'parts',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const circle = circleOf(chunksOf(bundle))
      if (circle) throw new Error(`chunks import each other in a circle: ${circle.join(' → ')}`)
      const list = listParts(bundle)
      const lost = PART_FOLDERS.filter((folder) => partsNamed([folder.split('/').at(-1) ?? ''], list).length === 0)
      if (lost.length > 0) throw new Error(`folders of parts that make no part: ${lost.join(', ')}`)
      for (const file of partPaths(list)) notPrecached.add(file.slice(1))
      this.emitFile({ type: 'asset', fileName: 'parts.json', source: JSON.stringify(list) })
    },
  },
})
