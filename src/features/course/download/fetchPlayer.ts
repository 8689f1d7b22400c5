import { keepUsedParts } from '#src/offline/device/keepLazyAssets.ts'
import { lessons } from '#src/offline/downloads/lessons/lessons.ts'
import { isPlaylist } from '#src/offline/downloads/lessons/media.ts'

/** What plays a lesson is not precached: with the first download it comes to this device, too. */
export async function fetchPlayer(): Promise<void> {
  await Promise.all([import('../lesson/LessonPage.tsx'), import('../lesson/chrome/chrome.ts')])
  const rows = [...(lessons.get().rows?.values() ?? [])]
  if (rows.some(({ ready, next }) => [ready, next].some((version) => version && isPlaylist(version.rendition))))
    await import('../lesson/hls/hls.ts')
  await keepUsedParts()
}
