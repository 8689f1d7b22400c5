import type { ThingFact } from '#src/domain/record/things.ts'
import { before } from '#src/domain/course/watched.ts'
import { type LessonLength, readLengths } from '#server/course/store.ts'
import type { Db } from '#server/db/open.ts'

/** What is known of lessons when an op is judged, by their numbers. */
export interface Watchables {
  lessons: ReadonlyMap<string, LessonLength>
}
type Watch = Extract<ThingFact, { kind: 'watch' }>
type LessonNote = Extract<ThingFact, { kind: 'lessonNote' }>

/** A player may tell a little more than the file's length: its own count of the last moments, or of a file that was replaced. */
const MORE_S = 5
const UNKNOWN = { code: 'unknown_lesson', msg: '课时不存在' } as const

/** A record holds what a lesson can have and no more. A device that told more has this instead with the answer. */
export function judgeWatch({ payload }: Watch, { lessons }: Watchables): Watch['payload'] | typeof UNKNOWN {
  const lesson = lessons.get(payload.lessonNo)
  if (lesson?.course !== payload.courseNo) return UNKNOWN
  const end = lesson.seconds + MORE_S
  return { ...payload, watched: before(payload.watched, end), position: Math.min(payload.position, end) }
}

/** Whoever may see a lesson, or once might, may write at a second that it has. What one has written one may always delete. */
export function judgeLessonNote(
  { payload }: LessonNote,
  { lessons }: Watchables,
): LessonNote['payload'] | typeof UNKNOWN {
  if (payload.text === '') return payload
  const lesson = lessons.get(payload.lessonNo)
  if (lesson?.course !== payload.courseNo) return UNKNOWN
  return { ...payload, second: Math.min(payload.second, lesson.seconds + MORE_S) }
}

const isOfLesson = (kind: string): boolean => kind === 'watch' || kind === 'lessonNote'

/** The lessons that a batch tells of. Most batches tell of none, and ask nothing. */
export async function readLessonsOf(
  db: Db,
  uid: string,
  ops: readonly { op: { kind: string }; payload: Record<string, unknown> | null }[],
): Promise<Map<string, LessonLength>> {
  const nos = ops.flatMap(({ op, payload }) => (isOfLesson(op.kind) && payload ? [String(payload.lessonNo)] : []))
  const lessons = nos.length > 0 ? await readLengths(db, uid, [...new Set(nos)]) : []
  return new Map(lessons.map((lesson) => [lesson.no, lesson]))
}
