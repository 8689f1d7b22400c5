import { call } from '#src/api/client.ts'
import { course, type LessonMedia } from '#src/contract/course.ts'

/** An answer that takes longer is no answer: who watches sees that it waits. */
const TIMEOUT_MS = 12_000

/** Addresses of a lesson, always fresh: they are signed for this student and end. */
export const askLesson = (no: string): Promise<LessonMedia> => call(course.lesson, { no }, { timeoutMs: TIMEOUT_MS })
