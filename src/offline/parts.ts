import { PART_CACHE } from './names.ts'

const MOST_PARTS = 60

/** Of the app: what this page loaded and the worker has not precached, for the next start without a network. */
export async function keepUsedParts(): Promise<void> {
  if (typeof caches === 'undefined') return
  const cache = await caches.open(PART_CACHE)
  const used = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
  for (const { href } of used) {
    if (await caches.match(href)) continue
    const part = await fetch(href)
    // A captive portal answers for parts, too: with a page.
    if (part.status === 200 && !part.headers.get('content-type')?.startsWith('text/html')) await cache.put(href, part)
  }
  const all = await cache.keys()
  for (const old of all.slice(0, Math.max(0, all.length - MOST_PARTS))) await cache.delete(old)
}
