import { PART_CACHE } from '#src/offline/names.ts'

/** `/assets/lesson` of `/assets/lesson-1a2b3c4.js`. */
const kindOf = (part: string) => part.split('-')[0]

/**
 * Before this version can take over: its parts in place of those of the last one that this device keeps (tools/parts.ts). Without
 * them it is not installed, and the last one goes on: who has lessons or documents here is never left without what opens them.
 */
export async function bringParts(): Promise<void> {
  const cache = await caches.open(PART_CACHE)
  const kept = (await cache.keys()).map(({ url }) => new URL(url).pathname)
  if (!kept[0]) return
  const parts: string[] = await (await fetch('/parts.json', { cache: 'no-store' })).json()
  const kinds = kept.map(kindOf)
  await cache.addAll(parts.filter((part) => kinds.includes(kindOf(part)) && !kept.includes(part)))
}
