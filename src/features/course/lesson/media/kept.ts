import { onlineManager } from '@tanstack/react-query'
import type { CourseDetail } from '#src/contract/course.ts'
import { askLesson } from '../askLesson.ts'
import type { KeptLesson } from './doors.ts'

const onDevice = () => import('#src/offline/downloads/lessons/lessons.ts').then((all) => all.lessons)

/** Downloads of this device; what they take comes when a lesson is opened. */
export async function keptLesson(lessonNo: string): Promise<KeptLesson | null> {
  const lessons = await onDevice()
  const kept = await lessons.kept(lessonNo)
  if (!kept) return null
  // It plays from here at once; what the server says of its questions and its right is for the next time.
  if (onlineManager.isOnline()) void askLesson(lessonNo).catch(() => {})
  return { ...kept, mend: () => lessons.mend(lessonNo, kept.media.rev) }
}
/** The course of a downloaded lesson, as it was seen last. @param no of what it is opened from */
export const keptCourse = async (lessonNo: string, no: string): Promise<CourseDetail | null> =>
  (await onDevice()).courseOf(lessonNo, no)
