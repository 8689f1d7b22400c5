import { get } from 'idb-keyval'
import type { Question } from '#src/contract/question.ts'
import { cacheStore } from './cacheStore.ts'
import { done } from './idb.ts'
import { PACK_DB } from './names.ts'

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

/** Every block of questions that this device holds, each once, without reading it: what was opened, then what was downloaded. */
export async function* questionsOnDevice(reader: Reader): AsyncGenerator<BlockOnDevice> {
  const seen = new Set<string>()
  for (const list of [cached, packed])
    for (const block of await list(reader).catch(() => [])) {
      const id = `${block.chapterNo}:${block.at}`
      if (!seen.has(id)) yield block
      seen.add(id)
    }
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

interface Pack {
  ready: boolean
  refs: { no: string; at: number; rev: string }[]
}

/** Of the libraries that were downloaded whole. */
async function packed(): Promise<BlockOnDevice[]> {
  const packs = await fromPacks<Pack[]>('packs', (store) => store.getAll())
  return (packs ?? [])
    .filter(({ ready }) => ready)
    .flatMap(({ refs }) =>
      refs.map(({ no, at, rev }) => ({
        chapterNo: no,
        at,
        stamp: rev,
        read: async () => {
          const row = await fromPacks<{ json: string }>('blocks', (store) => store.get(`${no}:${at}:${rev}`))
          const questions: Question[] = JSON.parse(row?.json ?? '')
          return questions
        },
      })),
    )
}

/** Null where there is no such database: asking must not make one. */
async function fromPacks<T>(name: string, ask: (store: IDBObjectStore) => IDBRequest): Promise<T | null> {
  const db = await new Promise<IDBDatabase | null>((resolve) => {
    const request = indexedDB.open(PACK_DB)
    request.onupgradeneeded = () => request.transaction?.abort()
    request.onerror = () => resolve(null)
    request.onsuccess = () => resolve(request.result)
  })
  if (!db) return null
  try {
    return await done<T>(ask(db.transaction(name).objectStore(name)))
  } finally {
    db.close()
  }
}
