import { delMany, keys } from 'idb-keyval'
import type { Block, Pack, PackedBlock } from '#src/contract/question.ts'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { type Database, done } from '#src/offline/device/idb.ts'
import { PACK_IMAGES } from '#src/offline/device/names.ts'
import { idOf, isPacked, type PackBlockRow, type PackRow } from './pack.ts'
import { GoneError } from '../downloadErrors.ts'

const STORES = ['packs', 'blocks']
const rowsOf = (tx: IDBTransaction): Promise<PackRow[]> => done(tx.objectStore('packs').getAll())
const rowOf = (tx: IDBTransaction, no: string): Promise<PackRow | undefined> => done(tx.objectStore('packs').get(no))
const keysOf = async (tx: IDBTransaction): Promise<Set<IDBValidKey>> =>
  new Set(await done(tx.objectStore('blocks').getAllKeys()))

/** What no pack, ready or under way, refers to any more. */
async function prune(tx: IDBTransaction): Promise<void> {
  const used = new Set<IDBValidKey>(
    (await rowsOf(tx)).flatMap(({ refs, next }) => [...refs, ...(next?.blocks ?? [])]).map(idOf),
  )
  const blocks = tx.objectStore('blocks')
  await Promise.all([...(await keysOf(tx))].flatMap((id) => (used.has(id) ? [] : done(blocks.delete(id)))))
}

/** Packs as they are written. Each method is one transaction; none of them touches what a student did. */
export function createPackStore(db: Database) {
  const write = <T>(body: (tx: IDBTransaction) => Promise<T>): Promise<T> => db.run(STORES, 'readwrite', body)
  const read = <T>(body: (tx: IDBTransaction) => Promise<T>): Promise<T> => db.run(STORES, 'readonly', body)
  return {
    list: (): Promise<PackRow[]> => read(rowsOf),
    get: (no: string): Promise<PackRow | undefined> => read((tx) => rowOf(tx, no)),
    /** The version to fetch; a complete one stays beside it until the swap. */
    begin: (next: Pack, set: Pick<PackRow, 'anyNetwork' | 'withoutPictures'>): Promise<void> =>
      write(async (tx) => {
        const known = await rowOf(tx, next.no)
        await done(
          tx
            .objectStore('packs')
            .put({ ...(known ?? emptyRow(next)), ...set, next, wanted: false, paused: false, full: false }),
        )
        // Only a version that this one replaces can leave blocks behind.
        if (known) await prune(tx)
      }),
    /** Puts all of these down at once, before any is asked for: a page that ends loses none. What is whole stays so. */
    want: (
      list: readonly Pick<Pack, 'no' | 'title'>[],
      { anyNetwork, withoutPictures }: Pick<PackRow, 'anyNetwork' | 'withoutPictures'>,
    ): Promise<void> =>
      write(async (tx) => {
        for (const each of list) {
          const row = await rowOf(tx, each.no)
          const known = row ?? { ...emptyRow(each), next: null, wanted: true, withoutPictures, anyNetwork }
          const allowed = anyNetwork || known.anyNetwork
          await done(tx.objectStore('packs').put({ ...known, anyNetwork: allowed, paused: false, full: false }))
        }
      }),
    patch: (no: string, patch: Partial<Pick<PackRow, 'paused' | 'full' | 'anyNetwork'>>): Promise<void> =>
      write(async (tx) => {
        const row = await rowOf(tx, no)
        if (row) await done(tx.objectStore('packs').put({ ...row, ...patch }))
      }),
    /** Blocks of the version under way that are not on this device. */
    missing: ({ blocks }: Pack): Promise<Pack['blocks']> =>
      read(async (tx) => {
        const kept = await keysOf(tx)
        return blocks.filter((ref) => !kept.has(idOf(ref)))
      }),
    /** @throws GoneError when nobody wants them any more: they would stay for ever. */
    keep: (no: string, blocks: readonly PackedBlock[]): Promise<void> =>
      write(async (tx) => {
        if (!(await rowOf(tx, no))?.next) throw new GoneError()
        const store = tx.objectStore('blocks')
        await Promise.all(
          blocks.map((block) => done(store.put({ id: idOf(block), json: block.json } satisfies PackBlockRow))),
        )
      }),
    /** Frees about so many bytes of the version under way, which no complete pack needs, the last first; resolves with how many. */
    freeNewest: (no: string, bytes: number): Promise<number> =>
      write(async (tx) => {
        const rows = await rowsOf(tx)
        const needed = new Set(
          rows
            .flatMap(({ libraryNo, refs, next }) => [...refs, ...(libraryNo === no ? [] : (next?.blocks ?? []))])
            .map(idOf),
        )
        const kept = await keysOf(tx)
        const blocks = rows.find(({ libraryNo }) => libraryNo === no)?.next?.blocks ?? []
        let freed = 0
        for (const ref of [...blocks].reverse()) {
          if (freed >= bytes) break
          if (needed.has(idOf(ref)) || !kept.has(idOf(ref))) continue
          await done(tx.objectStore('blocks').delete(idOf(ref)))
          freed += ref.bytes
        }
        return freed
      }),
    /** Puts the version that was fetched in the place of the old one. False when blocks of it are missing. */
    swap: (no: string): Promise<boolean> =>
      write(async (tx) => {
        const row = await rowOf(tx, no)
        if (!row?.next) throw new GoneError()
        const kept = await keysOf(tx)
        if (!row.next.blocks.every((ref) => kept.has(idOf(ref)))) return false
        await done(tx.objectStore('packs').put(completed(row, row.next)))
        if (row.ready) await prune(tx)
        return true
      }),
    /** Ends a download: a complete version stays. */
    cancel: (no: string): Promise<void> =>
      write(async (tx) => {
        const row = await rowOf(tx, no)
        if (row?.ready)
          await done(tx.objectStore('packs').put({ ...row, next: null, wanted: false, paused: false, full: false }))
        else await done(tx.objectStore('packs').delete(no))
        await prune(tx)
      }),
    remove: (no: string): Promise<void> =>
      write(async (tx) => {
        await done(tx.objectStore('packs').delete(no))
        await prune(tx)
      }),
  }
}
export type PackStore = ReturnType<typeof createPackStore>

const emptyRow = ({
  no,
  title,
}: Pick<Pack, 'no' | 'title'>): Omit<PackRow, 'next' | 'paused' | 'full' | 'anyNetwork' | 'withoutPictures'> => ({
  libraryNo: no,
  title,
  of: [],
  rev: '',
  total: 0,
  chapters: [],
  refs: [],
  ready: false,
  bytes: 0,
  pictures: [],
  owner: null,
})

const completed = (row: PackRow, { title, rev, total, chapters, blocks, pictures }: Pack): PackRow => ({
  ...row,
  title,
  rev,
  total,
  chapters,
  of: [row.libraryNo, ...chapters.map(({ no }) => no)],
  refs: blocks.map(({ no, at, rev, count }) => ({ no, at, rev, count })),
  ready: true,
  bytes: blocks.reduce((all, { bytes }) => all + bytes, 0),
  pictures,
  next: null,
  paused: false,
  full: false,
})

/** One datum, one store: what React Query kept of this pack before it was downloaded. */
export async function dropCopies(owner: string, pack: Pick<PackRow, 'of'>): Promise<void> {
  const store = cacheStore(owner)
  const covered = new Set(pack.of)
  const copies = (await keys<string>(store)).flatMap((key) => {
    // React Query's own: their keys are lists.
    if (!key.startsWith('q-[')) return []
    const [, , , path, input]: [string, string, string, string, Partial<Block>] = JSON.parse(key.slice(2))
    return isPacked(path) && covered.has(input.no ?? '') ? [key, `i-${key.slice(2)}`] : []
  })
  await delMany(copies, store)
}

/** Pictures that no pack shows any more. */
export async function prunePictures(list: () => Promise<PackRow[]>): Promise<void> {
  if (typeof caches === 'undefined' || !(await caches.has(PACK_IMAGES))) return
  const used = new Set(
    (await list()).flatMap(({ pictures, next }) => [...pictures, ...(next?.pictures ?? [])]).map(({ src }) => src),
  )
  const cache = await caches.open(PACK_IMAGES)
  for (const request of await cache.keys()) if (!used.has(new URL(request.url).pathname)) await cache.delete(request)
}
