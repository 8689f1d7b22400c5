import type { PlayedMedia } from '#src/contract/course.ts'
import type { Wish } from '#src/domain/course/quality.ts'
import type { KeptLesson as Whole } from '#src/offline/downloads/lessons/lessons.ts'

/** A lesson that was downloaded to this device. */
export interface KeptLesson extends Pick<Whole, 'media' | 'rendition' | 'opens' | 'file'> {
  /** It cannot be played: what this device has lost of it is fetched again. */
  mend: () => Promise<void>
}
export interface Doors {
  /** Asks the server for a lesson's addresses. */
  ask: (lessonNo: string) => Promise<PlayedMedia>
  /** The quality that is asked for where there are several; none or null: whatever the line carries. */
  wish?: () => Wish | null
  kept: ((lessonNo: string) => Promise<KeptLesson | null>) | undefined
}
