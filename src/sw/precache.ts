import type { PrecacheEntry } from 'workbox-precaching'
import { isPage } from './updateLazyAssets.ts'

/** Files that are fetched side by side: Workbox's install awaits one after another, each half a second on a slow network. */
const AT_ONCE = 5

/** Returns the addresses of the files that never change, because their names have a hash of their contents. */
export const hashedFiles = (files: readonly (string | PrecacheEntry)[]): string[] =>
  files.flatMap((file) => (typeof file === 'object' && !file.revision ? [new URL(file.url, location.href).href] : []))

/**
 * Puts into the precache what is not there yet. Workbox's install takes what it finds there and fetches the rest itself, so a file that
 * does not come is no error here.
 * @param cacheName Workbox's name of the precache.
 */
export async function fetchAhead(addresses: readonly string[], cacheName: string): Promise<void> {
  const cache = await caches.open(cacheName)
  const kept = new Set((await cache.keys()).map(({ url }) => url))
  const missing = addresses.filter((address) => !kept.has(address))
  const fetchInTurn = async (): Promise<void> => {
    for (let address = missing.shift(); address; address = missing.shift())
      await keepFile(cache, address).catch(() => {})
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fetchInTurn))
}

async function keepFile(cache: Cache, address: string): Promise<void> {
  const answer = await fetch(address, { credentials: 'same-origin' })
  if (answer.status === 200 && !isPage(answer)) await cache.put(address, answer)
}
