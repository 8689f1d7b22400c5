import * as v from 'valibot'
import { createDatabase, done, isFull } from '#src/offline/device/idb.ts'
import { DOCUMENT_DB } from '#src/offline/device/names.ts'

/** Which version of a document, and how much of it there is to come, in bytes. */
export interface Version {
  /** Strong, as the server says it: what came of another one is of no use. */
  etag: string
  total: number
}
/** What came of a document before the line broke, in its order and without a gap. */
export interface Begun extends Version {
  pieces: Uint8Array<ArrayBuffer>[]
}

const Row = v.object({
  address: v.string(),
  from: v.number(),
  etag: v.string(),
  total: v.number(),
  at: v.number(),
  data: v.instance(ArrayBuffer),
})
/** Documents that were begun last; of others nothing is kept. */
const MOST_BEGUN = 3
const UNFINISHED_MS = 30 * 86_400_000
const PARTS = 'parts'

/** One connection for the page, opened when it is needed. */
let opened: ReturnType<typeof createDatabase> | null = null
const db = () =>
  (opened ??= createDatabase(
    DOCUMENT_DB,
    1,
    (made) => void made.createObjectStore(PARTS, { keyPath: ['address', 'from'] }),
    true,
  ))
const partsOf = (address: string) => IDBKeyRange.bound([address], [address, []])

/** Null: nothing came of it yet, or the browser keeps nothing. */
export async function begunDocument(address: string): Promise<Begun | null> {
  const found: unknown[] = await db()
    .run([PARTS], 'readonly', (tx) => done(tx.objectStore(PARTS).getAll(partsOf(address))))
    .catch(() => [])
  const rows = found.filter((row) => v.is(Row, row))
  const [first] = rows
  if (!first) return null
  const { etag, total } = first
  const pieces: Begun['pieces'] = []
  let at = 0
  for (const row of rows) {
    if (row.from !== at || row.etag !== etag) break
    pieces.push(new Uint8Array(row.data))
    at += row.data.byteLength
  }
  return { etag, total, pieces }
}

/**
 * Keeps what came next; false: it is not kept, and nothing after it need be. On a full device all that came of this document leaves
 * with it: it can be fetched again, and answers need the room.
 */
export async function keepPart(
  address: string,
  { etag, total }: Version,
  from: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { buffer: data } = bytes
  const write = async (tx: IDBTransaction): Promise<void> => {
    const store = tx.objectStore(PARTS)
    if (from === 0) await giveUpOldest(store)
    store.put({ address, from, etag, total, at: Date.now(), data })
  }
  try {
    await db().run([PARTS], 'readwrite', write)
    return true
  } catch (error) {
    if (isFull(error)) await dropParts(address)
    return false
  }
}

/** Frees what came of documents that nobody has gone on with for so long. @param now epoch ms */
export async function sweepBegun(now: number): Promise<void> {
  await db()
    .run([PARTS], 'readwrite', async (tx) => {
      const store = tx.objectStore(PARTS)
      const latest = new Map<string, number>()
      for (const [address, from] of await partKeys(store)) latest.set(address, from)
      for (const [address, from] of latest) {
        const row: unknown = await done(store.get([address, from]))
        if (v.is(Row, row) && now - row.at > UNFINISHED_MS) store.delete(partsOf(address))
      }
    })
    .catch(() => {})
}

/** All that came of documents that are not whole; false: there is none. */
export const dropBegunDocuments = (): Promise<boolean> =>
  db().run([PARTS], 'readwrite', async (tx) => {
    const store = tx.objectStore(PARTS)
    const count = await done(store.count())
    await done(store.clear())
    return count > 0
  })

export async function dropParts(address: string): Promise<void> {
  await db()
    .run([PARTS], 'readwrite', (tx) => done(tx.objectStore(PARTS).delete(partsOf(address))))
    .catch(() => {})
}

/** In the order of addresses, and of each from its beginning on. */
const partKeys = async (store: IDBObjectStore): Promise<[string, number][]> =>
  v.parse(v.array(v.tuple([v.string(), v.number()])), await done(store.getAllKeys()))

async function giveUpOldest(store: IDBObjectStore): Promise<void> {
  const begun = (await partKeys(store)).filter(([, from]) => from === 0)
  const firsts: unknown[] = await Promise.all(begun.map((key) => done(store.get(key))))
  const latest = firsts.filter((row) => v.is(Row, row)).sort((a, b) => b.at - a.at)
  for (const { address } of latest.slice(MOST_BEGUN - 1)) store.delete(partsOf(address))
}
