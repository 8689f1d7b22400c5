import { get, getMany, keys } from 'idb-keyval'
import type { Located, Question } from '#src/contract/question.ts'
import { cacheStore } from './cacheStore.ts'
import { done } from './idb.ts'
import { KEPT } from './names.ts'
import { idOf, packDb, type PackBlockRow, type PackRow } from './pack.ts'

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

interface IndexRow {
  bytes: number
  usedAt: number
}

/** Of the rows that React Query keeps (cache.ts): their keys and sizes say enough, the rows stay unread. */
async function cached({ owner, area, exam }: Reader): Promise<BlockOnDevice[]> {
  const store = cacheStore(owner)
  const [keys, rows] = await store('readonly', (index) => {
    const range = IDBKeyRange.bound('i-[', 'i-\\')
    return Promise.all([done(index.getAllKeys(range)), done<IndexRow[]>(index.getAll(range))])
  })
  return keys.flatMap((key, i) => {
    if (typeof key !== 'string') return []
    const hash = key.slice(2)
    const [who, where, what, path, input]: [string, string, string, string, { no: string; at: number }] =
      JSON.parse(hash)
    if (who !== owner || where !== area || what !== exam || path !== BLOCK) return []
    const read = async () => {
      const row: { state: { data: { questions: Question[] } } } = JSON.parse(
        (await get<string>(`q-${hash}`, store)) ?? '',
      )
      return row.state.data.questions
    }
    return [{ chapterNo: input.no, at: input.at, stamp: `${rows[i]?.usedAt}:${rows[i]?.bytes}`, read }]
  })
}

/** Of the libraries that were downloaded whole. */
async function packed(): Promise<BlockOnDevice[]> {
  const packs = await packDb.run(['packs'], 'readonly', (tx) => done<PackRow[]>(tx.objectStore('packs').getAll()))
  return packs
    .filter(({ ready }) => ready)
    .flatMap(({ refs }) => refs)
    .map((ref) => ({
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

/** Questions kept one by one (questions.ts), by the number that each is kept under; without those that are `elsewhere`. */
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
  // Rows are written by questions.ts only.
  return nos.flatMap((no, i) => (rows[i] === undefined ? [] : [[no, JSON.parse(rows[i]) as Located]]))
}
