import type { LessonMedia } from '#src/contract/course.ts'
import type { KeptLesson as Whole } from '#src/offline/lessons.ts'

/** A lesson that was downloaded to this device. */
export type KeptLesson = Pick<Whole, 'media' | 'rendition' | 'opens' | 'file'>
export interface Doors {
  /** Asks the server for a lesson's addresses. */
  ask: (lessonNo: string) => Promise<LessonMedia>
  kept: ((lessonNo: string) => Promise<KeptLesson | null>) | undefined
}
