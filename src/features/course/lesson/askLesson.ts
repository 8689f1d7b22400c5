import { call } from '#src/api/client.ts'
import { course, type PlayedMedia } from '#src/contract/course.ts'

/** An answer that takes longer is no answer: who watches sees that it waits. */
const TIMEOUT_MS = 12_000

/** Addresses of a lesson, always fresh: they are signed for this student and end. What is downloaded is confirmed by them. */
export async function askLesson(no: string): Promise<PlayedMedia> {
  const media = await call(course.lesson, { no, hashes: false }, { timeoutMs: TIMEOUT_MS })
  void import('#src/offline/downloads/lessons/lessons.ts').then(({ lessons }) => lessons.heard(media)).catch(() => {})
  return media
}
