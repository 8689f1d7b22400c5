import { partsNamed } from '#src/domain/app/appParts.ts'
import { PART_CACHE } from './names.ts'

/**
 * Of the app: what this page loaded and the worker has not precached, for the next start without a network. An update puts its
 * own in its place (sw/updateLazyAssets.ts).
 * @param only paths of those to keep; while the worker still precaches, none of the others is known to be a part.
 */
export async function keepUsedParts(only = /^\/assets\//): Promise<void> {
  if (typeof caches === 'undefined') return
  const cache = await caches.open(PART_CACHE)
  const used = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && only.test(pathname))
  for (const { href } of used) await keep(cache, href)
}

/**
 * Keeps parts of the app's newest version by their names (tools/lazyAssets.ts), whether this page runs it or it is still to come.
 * @throws when one of them does not come
 */
export async function keepParts(names: readonly string[]): Promise<void> {
  if (typeof caches === 'undefined') return
  const list: unknown = await (await fetch('/parts.json', { cache: 'no-store' })).json()
  const wanted = partsNamed(names, (Array.isArray(list) ? list : []).map(String))
  const cache = await caches.open(PART_CACHE)
  for (const part of wanted)
    if (!(await keep(cache, new URL(part, location.href).href))) throw new Error(`${part} did not come`)
}

/** Returns whether the file is on this device now. */
async function keep(cache: Cache, href: string): Promise<boolean> {
  if (await caches.match(href)) return true
  const part = await fetch(href)
  // A captive portal answers for parts, too: with a page.
  if (part.status !== 200 || part.headers.get('content-type')?.startsWith('text/html')) return false
  await cache.put(href, part)
  return true
}
