import { get, update } from 'idb-keyval'
import * as v from 'valibot'
import { cacheStore } from './cacheStore.ts'

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
const Places = v.array(v.tuple([v.string(), Place]))

/** Among the owner's cached rows: a logout takes it with them, and a killed browser does not, as it would localStorage. */
const ROW = 'pdf-places'
const MOST = 100

const readable = (row: unknown): [string, Place][] => (v.is(Places, row) ? row : [])

export async function placeIn(owner: string, address: string): Promise<Place | null> {
  const row: unknown = await get(ROW, cacheStore(owner)).catch(() => null)
  return readable(row).find(([of]) => of === address)?.[1] ?? null
}

/** The last read stands first; what was read a hundred documents ago is forgotten. */
export async function rememberPlace(owner: string, address: string, place: Place): Promise<void> {
  const newer = (row: unknown) => [[address, place], ...readable(row).filter(([of]) => of !== address)].slice(0, MOST)
  // Without storage, or after a logout in another tab, it is not remembered.
  await update<unknown>(ROW, newer, cacheStore(owner)).catch(() => {})
}
