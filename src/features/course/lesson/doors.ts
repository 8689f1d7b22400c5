import type { LessonMedia, Rendition } from '#src/contract/course.ts'

/** A lesson that was downloaded to this device. */
export interface KeptLesson {
  media: LessonMedia
  rendition: Rendition
  file: (name: string) => Promise<Blob | null>
}
export interface Doors {
  /** Asks the server for a lesson's addresses. */
  ask: (lessonNo: string) => Promise<LessonMedia>
  kept: ((lessonNo: string) => Promise<KeptLesson | null>) | undefined
}
