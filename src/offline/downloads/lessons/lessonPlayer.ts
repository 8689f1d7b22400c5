import { OfflineError } from '#src/api/errors.ts'
import type { Rendition } from '#src/contract/course.ts'
import { isFull } from '#src/offline/device/idb.ts'
import type { LessonStore } from './lessonStore.ts'
import { isPlaylist } from './media.ts'

interface Bringing {
  /** Parts of the app by their names, onto the device where they are not there yet. */
  player: (names: readonly string[]) => Promise<void>
}

/** What plays them, as parts of the app are named (tools/lazyAssets.ts). */
const partsFor = (renditions: readonly Rendition[]): string[] => [
  'lesson',
  'chrome',
  ...(renditions.some(isPlaylist) ? ['hls'] : []),
]

/**
 * What plays a lesson, before the lesson is called downloaded: whoever leaves at that moment could not open it.
 * @throws OfflineError when the network does not bring it
 */
export const playerFor = (rendition: Rendition, { player }: Bringing): Promise<void> =>
  player(partsFor([rendition])).catch((error: unknown) => {
    if (isFull(error)) throw error
    throw new OfflineError('网络不可用', { cause: error })
  })

/** Who has downloads has what plays them, also when it came in another version, or left: what is missing is fetched again. */
export async function playerForAll({ player }: Bringing, store: LessonStore): Promise<void> {
  const versions = (await store.list().catch(() => [])).flatMap(({ ready, next }) => ready ?? next ?? [])
  if (versions.length === 0) return
  await player(partsFor(versions.map(({ rendition }) => rendition))).catch(() => {
    // Without a network it is left for the next time.
  })
}
