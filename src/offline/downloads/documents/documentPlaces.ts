import * as v from 'valibot'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { done } from '#src/offline/device/idb.ts'

const Place = v.object({
  /** From 0. */
  page: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Of the page's height: what of it stands at the window's top. */
  y: v.number(),
  /** Of the width of all: what stands at the window's left. */
  x: v.optional(v.number()),
  /** CSS px per point; null: as wide as the window. */
  scale: v.nullable(v.number()),
})
/** Where a student left off in a document, and how large it was. */
export type Place = v.InferOutput<typeof Place>
const Row = v.object({ address: v.string(), place: Place, at: v.number() })

/** Among the owner's cached rows: a logout takes them with it, and a killed browser does not, as it would localStorage. */
const ROWS = 'pdf-place:'
const all = () => IDBKeyRange.bound(ROWS, `${ROWS}\uffff`)
const keyOf = (address: string): string => ROWS + address
const MOST = 100

/** Those read longest ago are forgotten when there are more than a hundred. */
export async function placeIn(owner: string, address: string): Promise<Place | null> {
  const rows = await cacheStore(owner)('readwrite', async (store) => {
    const found: unknown[] = await done(store.getAll(all()))
    const readable = found.filter((row) => v.is(Row, row)).sort((a, b) => b.at - a.at)
    for (const old of readable.slice(MOST)) store.delete(keyOf(old.address))
    return readable.slice(0, MOST)
  }).catch(() => [])
  return rows.find((row) => row.address === address)?.place ?? null
}

/** Written at one stroke, so that it also stands when the page ends in the next moment. */
export async function rememberPlace(owner: string, address: string, place: Place): Promise<void> {
  const write = (store: IDBObjectStore) => {
    store.put({ address, place, at: Date.now() }, keyOf(address))
    store.transaction.commit()
  }
  // Without storage, or after a logout in another tab, it is not remembered.
  await cacheStore(owner)('readwrite', write).catch(() => {})
}
