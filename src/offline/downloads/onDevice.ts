import { get, getMany, keys } from 'idb-keyval'
import type { Block, BlockRef, Located, Outline, Question } from '#src/contract/question.ts'
import { cacheStore } from '../device/cacheStore.ts'
import { done } from '../device/idb.ts'
import { KEPT } from '../device/names.ts'
import { idOf, packDb, type PackBlockRow, type PackRow } from './packs/pack.ts'

/** Whose questions: the owner, and what their calls carry (api/query.ts). */
export interface Reader {
  owner: string
  area: string
  exam: string
}
export interface BlockOnDevice {
  chapterNo: string
  /** Its place in that chapter. */
  at: number
  /** Another stamp may mean other questions; the same one never does. */
  stamp: string
  /** @throws when it cannot be read. */
  read: () => Promise<Question[]>
}

const BLOCK = 'question/block'
const OUTLINE = 'question/chapter'

export const placeOfBlock = (no: string, at: number): string => `${no}:${at}`

/**
 * Every block of questions that this device holds, by its place, without reading it. What was downloaded counts before what was
 * opened, as for studying (cache.ts).
 */
export async function questionsOnDevice(reader: Reader): Promise<Map<string, BlockOnDevice>> {
  // Of two at one place the later one stays.
  const lists = await Promise.all([cached, packed].map((list) => list(reader).catch(() => [])))
  return new Map(lists.flat().map((block) => [placeOfBlock(block.chapterNo, block.at), block]))
}

/** What tells which chapters are whole on this device, at one moment; it costs the same for one library as for all. */
export interface Held {
  here: ReadonlySet<string>
  packs: readonly BlockRef[]
  outlines: readonly KeptRow[]
}
export async function heldOnDevice(reader: Reader): Promise<Held> {
  const [here, packs, outlines] = await Promise.all([questionsOnDevice(reader), packRefs(), keptRows(reader, OUTLINE)])
  return { here: new Set(here.keys()), packs, outlines }
}

/**
 * Leaf chapters of which every question is on this device, as far as outlines that it holds know them: those of downloaded
 * libraries, and those that were opened.
 * @param nos of the chapters and libraries whose outlines count
 */
export async function chaptersOnDevice(
  { here, packs, outlines }: Held,
  nos: ReadonlySet<string>,
): Promise<Set<string>> {
  const opened = outlines.filter(({ input }) => nos.has(input.no))
  const read = opened.map((row) => row.read<Outline>().catch(() => null))
  const refs = (await Promise.all(read)).flatMap((outline) => outline?.blocks ?? []).concat(packs)
  const missing = refs.filter(({ no, at }) => !here.has(placeOfBlock(no, at)))
  const whole = new Set(refs.map(({ no }) => no))
  for (const { no } of missing) whole.delete(no)
  return whole
}

interface IndexRow {
  bytes: number
  usedAt: number
}
interface KeptRow {
  input: { no: string; at: number }
  stamp: string
  read: <T>() => Promise<T>
}

/** Rows that React Query keeps (cache.ts): their keys and sizes say enough, the rows stay unread. */
async function keptRows({ owner, area, exam }: Reader, wanted: string): Promise<KeptRow[]> {
  const store = cacheStore(owner)
  const [keys, rows] = await store('readonly', (index) => {
    const range = IDBKeyRange.bound('i-[', 'i-\\')
    return Promise.all([done(index.getAllKeys(range)), done<IndexRow[]>(index.getAll(range))])
  })
  return keys.flatMap((key, i) => {
    if (typeof key !== 'string') return []
    const hash = key.slice(2)
    const [who, where, what, path, input]: [string, string, string, string, KeptRow['input']] = JSON.parse(hash)
    if (who !== owner || where !== area || what !== exam || path !== wanted) return []
    const read = async () => JSON.parse((await get<string>(`q-${hash}`, store)) ?? '').state.data
    return [{ input, stamp: `${rows[i]?.usedAt}:${rows[i]?.bytes}`, read }]
  })
}

/** Of what was opened. */
const cached = async (reader: Reader): Promise<BlockOnDevice[]> =>
  (await keptRows(reader, BLOCK)).map(({ input, stamp, read }) => ({
    chapterNo: input.no,
    at: input.at,
    stamp,
    read: async () => (await read<Block>()).questions,
  }))

async function packRefs(): Promise<BlockRef[]> {
  const packs = await packDb.run(['packs'], 'readonly', (tx) => done<PackRow[]>(tx.objectStore('packs').getAll()))
  return packs.filter(({ ready }) => ready).flatMap(({ refs }) => refs)
}

/** Of the libraries that were downloaded whole. */
async function packed(): Promise<BlockOnDevice[]> {
  return (await packRefs()).map((ref) => ({
    chapterNo: ref.no,
    at: ref.at,
    stamp: ref.rev,
    read: async () => {
      const row = await packDb.run(['blocks'], 'readonly', (tx) =>
        done<PackBlockRow | undefined>(tx.objectStore('blocks').get(idOf(ref))),
      )
      const questions: Question[] = JSON.parse(row?.json ?? '')
      return questions
    },
  }))
}

/** Questions kept one by one (keptQuestions.ts), by the number that each is kept under; without those that are `elsewhere`. */
export async function keptOnDevice(owner: string, elsewhere: ReadonlySet<string>): Promise<[string, Located][]> {
  const store = cacheStore(owner)
  const nos = (await keys<string>(store))
    .filter((key) => key.startsWith(KEPT))
    .map((key) => key.slice(KEPT.length))
    .filter((no) => !elsewhere.has(no))
  const rows = await getMany<string | undefined>(
    nos.map((no) => KEPT + no),
    store,
  )
  // Rows are written by keptQuestions.ts only.
  return nos.flatMap((no, i) => (rows[i] === undefined ? [] : [[no, JSON.parse(rows[i]) as Located]]))
}
