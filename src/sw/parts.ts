import { PART_CACHE } from '#src/offline/names.ts'

/** `/assets/lesson` of `/assets/lesson-1a2b3c4.js`; a file in a part's own folder is one of a kind. */
const kindOf = (part: string): string => /^\/assets\/[^-/]+(?=-[^/]*$)/.exec(part)?.[0] ?? part

const LIST = '/parts.json'

/**
 * Before this version can take over: its parts in place of those of the last one that this device keeps (tools/parts.ts). Without
 * them it is not installed, and the last one goes on: who has lessons or documents here is never left without what opens them.
 */
export async function bringParts(): Promise<void> {
  const cache = await caches.open(PART_CACHE)
  const kept = await keptIn(cache)
  if (!kept[0]) return
  const list = await fetch(LIST, { cache: 'no-store' })
  const parts: string[] = await list.clone().json()
  const kinds = kept.map(kindOf)
  for (const part of parts.filter((each) => kinds.includes(kindOf(each)) && !kept.includes(each))) {
    const answer = await fetch(part)
    if (!answer.ok || isPage(answer)) throw new Error(part)
    await cache.put(part, answer)
  }
  await cache.put(LIST, list)
}

/** This version has taken over: what it has in another state goes. */
export async function dropOldParts(): Promise<void> {
  const cache = await caches.open(PART_CACHE)
  const parts: string[] | undefined = await (await cache.match(LIST))?.json()
  if (!parts) return
  const kinds = parts.map(kindOf)
  for (const kept of await keptIn(cache))
    if (kinds.includes(kindOf(kept)) && !parts.includes(kept)) await cache.delete(kept)
}

const keptIn = async (cache: Cache): Promise<string[]> => (await cache.keys()).map(({ url }) => new URL(url).pathname)
/** A captive portal answers for parts, too. */
const isPage = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('text/html') === true
