import type { KeptLesson } from './doors.ts'

/** Downloads of this device; what they take comes when a lesson is opened. */
export const keptLesson = async (lessonNo: string): Promise<KeptLesson | null> =>
  (await import('#src/offline/lessons.ts')).lessons.kept(lessonNo)
