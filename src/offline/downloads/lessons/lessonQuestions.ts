import type { LessonMedia, LessonQuestion } from '#src/contract/course.ts'
import { MEDIA_ADDRESSES } from '#src/domain/text/html.ts'
import type { LessonRow } from './media.ts'
import { LESSON_IMAGES } from '#src/offline/device/names.ts'
import { pictureOf } from '../packs/packDownload.ts'

/** Questions of a lesson come with its media; here is what they need besides: their pictures and recordings. */

export const picturesOf = (questions: readonly LessonQuestion[] = []): string[] => [
  ...new Set(JSON.stringify(questions).match(MEDIA_ADDRESSES)),
]

interface Fetching {
  fetch: (src: string, init: RequestInit) => Promise<Response>
}
/** Brings the pictures of a lesson's questions to this device, each verified by its name; what the server has no more is left out. */
export async function keepPictures(
  { questions }: Pick<LessonMedia, 'questions'>,
  { fetch }: Fetching,
  signal: AbortSignal,
): Promise<void> {
  const pictures = picturesOf(questions)
  if (pictures.length === 0 || typeof caches === 'undefined') return
  const cache = await caches.open(LESSON_IMAGES)
  for (const src of pictures) {
    if (await cache.match(src)) continue
    const picture = await pictureOf(src, { fetch: (from, ending) => fetch(from, { signal: ending }) }, signal)
    if (picture) await cache.put(src, picture)
  }
}

/** Removes pictures that no lesson on this device asks about. @param rows of every student of this device */
export async function prunePictures(rows: readonly LessonRow[]): Promise<void> {
  if (typeof caches === 'undefined' || !(await caches.has(LESSON_IMAGES))) return
  const versions = rows.flatMap(({ ready, next }) => [ready, next])
  const used = new Set(versions.flatMap((version) => picturesOf(version?.media.questions)))
  const cache = await caches.open(LESSON_IMAGES)
  for (const request of await cache.keys()) if (!used.has(new URL(request.url).pathname)) await cache.delete(request)
}
