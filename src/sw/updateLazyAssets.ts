import { partPaths, successorsOf } from '#src/domain/app/appParts.ts'
import { PART_CACHE } from '#src/offline/device/names.ts'

const LIST = '/parts.json'

/**
 * Before this version can take over: its parts in place of those of the last one that this device keeps (tools/lazyAssets.ts). Without
 * them it is not installed, and the last one goes on: who has lessons or documents here is never left without what opens them.
 */
export async function bringParts(): Promise<void> {
  const cache = await caches.open(PART_CACHE)
  const kept = await keptIn(cache)
  if (!kept[0]) return
  const list = await fetch(LIST, { cache: 'no-store' })
  const parts: string[] = await list.clone().json()
  for (const part of successorsOf(kept, parts).filter((each) => !kept.includes(each))) {
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
  const paths = new Set(partPaths(parts))
  for (const kept of await keptIn(cache)) if (kept !== LIST && !paths.has(kept)) await cache.delete(kept)
}

const keptIn = async (cache: Cache): Promise<string[]> => (await cache.keys()).map(({ url }) => new URL(url).pathname)
/** Tells whether a captive portal has answered in place of a file of the app. */
export const isPage = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('text/html') === true
