import { OfflineError } from '#src/api/errors.ts'
import type { Rendition } from '#src/contract/course.ts'
import { isFull } from '#src/offline/device/idb.ts'
import type { LessonStore } from './lessonStore.ts'
import { isPlaylist } from './media.ts'

interface Bringing {
  /** Parts of the app by their names, onto the device where they are not there yet. */
  player: (names: readonly string[]) => Promise<void>
}

/** Names the parts of the app that play these (tools/lazyAssets.ts). */
const partsFor = (renditions: readonly Rendition[]): string[] => [
  'lesson',
  'chrome',
  ...(renditions.some(isPlaylist) ? ['hls'] : []),
]

/**
 * Brings what plays a lesson, before the lesson is called downloaded: whoever left at that moment could not open it otherwise. The
 * parts that this page has brought once are not asked for again.
 * @returns a function that throws OfflineError when the network does not bring it
 */
export function createPlayerFor({ player }: Bringing) {
  const brought = new Set<string>()
  return async (rendition: Rendition): Promise<void> => {
    const names = partsFor([rendition]).filter((name) => !brought.has(name))
    if (names.length === 0) return
    await player(names).catch((error: unknown) => {
      if (isFull(error)) throw error
      throw new OfflineError('网络不可用', { cause: error })
    })
    for (const name of names) brought.add(name)
  }
}

/** Fetches what is missing of the parts that play the downloads of this device: they may have come in another version, or left. */
export async function playerForAll({ player }: Bringing, store: LessonStore): Promise<void> {
  const versions = (await store.list().catch(() => [])).flatMap(({ ready, next }) => ready ?? next ?? [])
  if (versions.length === 0) return
  await player(partsFor(versions.map(({ rendition }) => rendition))).catch(() => {
    // Without a network it is left for the next time.
  })
}
