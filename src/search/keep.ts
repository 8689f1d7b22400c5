import { delMany, setMany } from 'idb-keyval'
import { cacheStore } from '#src/offline/cacheStore.ts'
import { done } from '#src/offline/idb.ts'
import { type BlockOnDevice, keptOnDevice, questionsOnDevice, type Reader } from '#src/offline/onDevice.ts'
import type { Index } from './engine.ts'
import { type Doc, docOf } from './text.ts'

/** A block made searchable, as it is kept. Named like the rows it was made of (offline/cache.ts), so that it goes with them. */
interface Kept {
  /** Of the making: another version's are made anew. */
  v: typeof VERSION
  stamp: string
  docs: Doc[]
}
const VERSION = 3
const ROW = 'q-search:'
const INDEX_ROW = 'i-search:'
/** Blocks between two words on how far it is. */
const STEP = 8

/**
 * Fills the index with what is on the device: what was made searchable before is read back, what is new or has changed is made
 * so and kept, what has gone leaves.
 */
export async function update(
  index: Index,
  reader: Reader,
  now: number,
  tell: (done: number, total: number) => void,
): Promise<void> {
  const kept = await readKept(reader.owner).catch(() => new Map<string, Kept>())
  const missing: [string, BlockOnDevice][] = []
  const seen = new Set<string>()
  for (const [place, block] of await questionsOnDevice(reader)) {
    const id = `${reader.area}:${reader.exam}:${place}`
    const known = kept.get(id)
    seen.add(id)
    if (known?.stamp === block.stamp && known.v === VERSION) index.put(id, known.docs)
    else missing.push([id, block])
  }
  for (let from = 0; from < missing.length; from += STEP) {
    tell(from, missing.length)
    await make(index, reader.owner, missing.slice(from, from + STEP), now)
  }
  await putKept(index, reader.owner).catch(() => {})
  const mine = `${reader.area}:${reader.exam}:`
  const gone = [...kept.keys()].filter((id) => id.startsWith(mine) && !seen.has(id))
  await delMany(gone.flatMap(rowsOf), cacheStore(reader.owner)).catch(() => {})
}

/** What a student comes back to is found also when its chapter has left the device, or never was on it. */
async function putKept(index: Index, owner: string): Promise<void> {
  const chapters = new Map<string, Map<string, Doc>>()
  for (const [no, { question, chapterNo }] of await keptOnDevice(owner, index.numbers())) {
    if (chapterNo === null) continue
    const docs = chapters.get(chapterNo) ?? new Map<string, Doc>()
    // Kept under each of its parts, a material is one question; it is opened by the number of a part.
    chapters.set(chapterNo, docs.set(question.no, { ...docOf(question, { chapterNo }), no }))
  }
  for (const [chapterNo, docs] of chapters) index.put(`kept:${chapterNo}`, [...docs.values()])
}

const rowsOf = (id: string): string[] => [ROW + id, INDEX_ROW + id]

async function readKept(owner: string): Promise<Map<string, Kept>> {
  const range = IDBKeyRange.bound(ROW, `${ROW}\uFFFF`)
  const [keys, rows] = await cacheStore(owner)('readonly', (store) =>
    Promise.all([done(store.getAllKeys(range)), done<Kept[]>(store.getAll(range))]),
  )
  return new Map(
    rows.flatMap((row, i) => {
      const key = keys[i]
      return typeof key === 'string' ? [[key.slice(ROW.length), row] as const] : []
    }),
  )
}

async function make(index: Index, owner: string, blocks: [string, BlockOnDevice][], now: number): Promise<void> {
  const rows: [string, unknown][] = []
  for (const [id, { chapterNo, at, stamp, read }] of blocks) {
    // One that cannot be read is fetched again when it is studied, and found from then on.
    const questions = await read().catch(() => [])
    const docs = questions.map((question) => docOf(question, { chapterNo, at }))
    index.put(id, docs)
    const bytes = docs.reduce((sum, doc) => sum + 2 * (doc.stem.length + doc.rest.length + doc.folded.length), 0)
    if (docs.length > 0) rows.push([ROW + id, { v: VERSION, stamp, docs }], [INDEX_ROW + id, { bytes, usedAt: now }])
  }
  // A full device makes them anew next time.
  await setMany(rows, cacheStore(owner)).catch(() => {})
}
