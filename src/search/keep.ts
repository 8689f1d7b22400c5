import { delMany, setMany } from 'idb-keyval'
import type { Question } from '#src/contract/question.ts'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { done } from '#src/offline/device/idb.ts'
import { type BlockOnDevice, keptOnDevice, questionsOnDevice, type Reader } from '#src/offline/downloads/onDevice.ts'
import { keptQuestions } from '#src/offline/downloads/keptQuestions.ts'
import type { Index } from './engine.ts'
import type { ReadBlock } from './show.ts'
import { type Doc, docOf } from './text.ts'

/** The kept part of a doc. Its place is that of its block. */
type KeptDoc = Omit<Doc, 'chapterNo' | 'at'>
/** A block made searchable, as it is kept. Named like the rows it was made of (offline/device/cache.ts), so that it goes with them. */
interface Kept {
  /** Of the making: another version's are made anew, but those of `WITH_TEXTS`. */
  v: number
  stamp: string
  docs: KeptDoc[]
}
const VERSION = 4
/** It kept the texts beside what they are compared by: read as it is, and made smaller by `shrinkKept`. */
const WITH_TEXTS = 3
const ROW = 'q-search:'
const INDEX_ROW = 'i-search:'
/** Blocks that are read and written at a time, between two words on how far it is. */
const STEP = 32
/** Rows of an earlier version that are made smaller at a time. */
const SLICE = 8

/**
 * Fills the index with what is on the device: what was made searchable before is read back, what is new or has changed is made
 * so and kept, what has gone leaves.
 * @returns where the questions of each block are read
 */
export async function update(
  index: Index,
  reader: Reader,
  now: number,
  tell: (done: number, total: number) => void,
): Promise<Map<string, ReadBlock>> {
  const kept = await readKept(reader.owner).catch(() => new Map<string, Kept>())
  const missing: [string, BlockOnDevice][] = []
  const sources = new Map<string, ReadBlock>()
  for (const [place, block] of await questionsOnDevice(reader)) {
    const id = `${reader.area}:${reader.exam}:${place}`
    const known = kept.get(id)
    sources.set(id, async () => byNumber(await block.read()))
    if (known?.stamp === block.stamp && isRead(known)) index.put(id, placed(known.docs, block))
    else missing.push([id, block])
  }
  await makeAll(index, reader.owner, missing, { now, tell })
  const mine = `${reader.area}:${reader.exam}:`
  const gone = [...kept.keys()].filter((id) => id.startsWith(mine) && !sources.has(id))
  await putKept(index, reader.owner, sources).catch(() => {})
  await delMany(gone.flatMap(rowsOf), cacheStore(reader.owner)).catch(() => {})
  return sources
}

const isRead = ({ v }: Kept): boolean => v === VERSION || v === WITH_TEXTS
const byNumber = (questions: readonly Question[]) => questions.map((question) => [question.no, question] as const)
const keptDoc = ({ no, nos, type, folded, stemLength }: KeptDoc): KeptDoc => ({ no, nos, type, folded, stemLength })
const placed = (docs: readonly KeptDoc[], { chapterNo, at }: BlockOnDevice): Doc[] =>
  docs.map((doc) => ({ ...keptDoc(doc), chapterNo, at }))

/** What a student comes back to is found also when its chapter has left the device, or never was on it. */
async function putKept(index: Index, owner: string, sources: Map<string, ReadBlock>): Promise<void> {
  const chapters = new Map<string, Map<string, Doc>>()
  for (const [no, { question, chapterNo }] of await keptOnDevice(owner, index.numbers())) {
    if (chapterNo === null) continue
    const docs = chapters.get(chapterNo) ?? new Map<string, Doc>()
    // Kept under each of its parts, a material is one question; it is opened by the number of a part.
    chapters.set(chapterNo, docs.set(question.no, { ...docOf(question, { chapterNo }), no }))
  }
  for (const [chapterNo, docs] of chapters) {
    const list = [...docs.values()]
    const nos = list.map(({ no }) => no)
    index.put(`kept:${chapterNo}`, list)
    sources.set(`kept:${chapterNo}`, async () =>
      [...(await keptQuestions(owner, nos))].map(([no, { question }]) => [no, question] as const),
    )
  }
}

const rowsOf = (id: string): string[] => [ROW + id, INDEX_ROW + id]
const keptRange = () => IDBKeyRange.bound(ROW, `${ROW}\uFFFF`)

async function readKept(owner: string): Promise<Map<string, Kept>> {
  const range = keptRange()
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

interface Making {
  now: number
  tell: (done: number, total: number) => void
}

/** While one step is made searchable, the next one is read and the one before is written. */
async function makeAll(
  index: Index,
  owner: string,
  blocks: readonly [string, BlockOnDevice][],
  { now, tell }: Making,
): Promise<void> {
  // One that cannot be read is fetched again when it is studied, and found from then on.
  const readStep = (from: number) =>
    Promise.all(blocks.slice(from, from + STEP).map(([, block]) => block.read().catch(() => [])))
  let written: Promise<void> = Promise.resolve()
  let reading = readStep(0)
  for (let from = 0; from < blocks.length; from += STEP) {
    tell(from, blocks.length)
    const lists = await reading
    reading = readStep(from + STEP)
    const rows = lists.flatMap((questions, i) => make(index, blocks[from + i], questions, now))
    await written
    // A full device makes them anew next time.
    written = setMany(rows, cacheStore(owner)).catch(() => {})
  }
  await written
}

function make(
  index: Index,
  named: [string, BlockOnDevice] | undefined,
  questions: readonly Question[],
  now: number,
): [string, unknown][] {
  if (!named) return []
  const [id, { chapterNo, at, stamp }] = named
  const docs = questions.map((question) => docOf(question, { chapterNo, at }))
  index.put(id, docs)
  return docs.length > 0 ? keptAs(id, { v: VERSION, stamp, docs: docs.map(keptDoc) }, now) : []
}

function keptAs(id: string, row: Kept, now: number): [string, unknown][] {
  const bytes = row.docs.reduce((sum, { folded }) => sum + 2 * folded.length, 0)
  return [
    [ROW + id, row],
    [INDEX_ROW + id, { bytes, usedAt: now }],
  ]
}

/**
 * Makes the rows of an earlier version smaller, a few at a time with everything else in between: ended in the middle, it goes on the
 * next time. Nothing of theirs is lost: the texts are in the blocks.
 */
export async function shrinkKept(owner: string, now: number): Promise<void> {
  const store = cacheStore(owner)
  const keys = await store('readonly', (rows) => done(rows.getAllKeys(keptRange())))
  for (let from = 0; from < keys.length; from += SLICE) {
    await store('readwrite', (rows) => Promise.all(keys.slice(from, from + SLICE).map((key) => shrink(rows, key, now))))
    // Requests that came meanwhile are answered first.
    await new Promise((resolve) => setTimeout(resolve))
  }
}

async function shrink(rows: IDBObjectStore, key: IDBValidKey, now: number): Promise<void> {
  const row = await done<Kept | undefined>(rows.get(key))
  if (row?.v !== WITH_TEXTS || typeof key !== 'string') return
  const smaller = { v: VERSION, stamp: row.stamp, docs: row.docs.map(keptDoc) }
  for (const [name, value] of keptAs(key.slice(ROW.length), smaller, now)) rows.put(value, name)
}
