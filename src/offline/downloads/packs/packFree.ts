import { tellBoards } from '../board.ts'
import { openPacks, type PackRow } from './pack.ts'
import { createPackStore } from './packStore.ts'
import { PACK_DB, PACK_IMAGES } from '#src/offline/device/names.ts'

/**
 * Frees about so many bytes of pictures that only the version under way shows, the last first; resolves with how many. Those that
 * another pack waits for stay.
 */
export async function freePictures(rows: readonly PackRow[], no: string, bytes: number): Promise<number> {
  if (typeof caches === 'undefined' || !(await caches.has(PACK_IMAGES))) return 0
  const needed = new Set(
    rows
      .flatMap(({ libraryNo, pictures, next }) => [...pictures, ...(libraryNo === no ? [] : (next?.pictures ?? []))])
      .map(({ src }) => src),
  )
  const cache = await caches.open(PACK_IMAGES)
  let freed = 0
  for (const picture of [...(rows.find(({ libraryNo }) => libraryNo === no)?.next?.pictures ?? [])].reverse()) {
    if (freed >= bytes) break
    if (!needed.has(picture.src) && (await cache.delete(picture.src))) freed += picture.bytes
  }
  return freed
}

/** So much makes room for many answers. */
const STEP_BYTES = 4 * 1024 ** 2

/** Frees the end of a half downloaded library when an answer needs the room; the rest is kept and continued. False: there is none. */
export async function freeHalfPack(): Promise<boolean> {
  const db = openPacks()
  const store = createPackStore(db)
  try {
    const rows = await store.list()
    for (const { libraryNo, next } of rows) {
      if (!next) continue
      const pictures = await freePictures(rows, libraryNo, STEP_BYTES)
      if (pictures === 0 && (await store.freeNewest(libraryNo, STEP_BYTES)) === 0) continue
      // It would take the room again. Where even this finds none, the next try frees more.
      await store.patch(libraryNo, { paused: true, full: true }).catch(() => {})
      tellBoards(PACK_DB, [libraryNo])
      return true
    }
    return false
  } finally {
    db.close()
  }
}
