import type { KeptLesson } from './doors.ts'

/** Downloads of this device; what they take comes when a lesson is opened. */
export async function keptLesson(lessonNo: string): Promise<KeptLesson | null> {
  const { lessons } = await import('#src/offline/lessons.ts')
  const kept = await lessons.kept(lessonNo)
  return kept && { ...kept, mend: () => lessons.mend(lessonNo) }
}
