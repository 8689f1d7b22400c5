import { PART_CACHE } from '#src/offline/names.ts'

/** `/assets/lesson` of `/assets/lesson-1a2b3c4.js`, `/assets/pdf/x` of `/assets/pdf-6.5/x`. */
const kindOf = (part: string): string => part.replace(/^(\/assets\/[^-/]+)-[^/]*/, '$1')

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

/** This version has taken over: what it has no use for goes. */
export async function dropOldParts(): Promise<void> {
  const cache = await caches.open(PART_CACHE)
  const parts: string[] | undefined = await (await cache.match(LIST))?.json()
  if (!parts) return
  for (const kept of await keptIn(cache)) if (kept !== LIST && !parts.includes(kept)) await cache.delete(kept)
}

const keptIn = async (cache: Cache): Promise<string[]> => (await cache.keys()).map(({ url }) => new URL(url).pathname)
/** Tells whether a captive portal has answered in place of a file of the app. */
export const isPage = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('text/html') === true
