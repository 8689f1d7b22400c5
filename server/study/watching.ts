import type { ThingFact } from '#src/domain/things.ts'
import { before } from '#src/domain/watched.ts'
import { type LessonLength, readLengths } from '#server/course/store.ts'
import type { Db } from '#server/db/open.ts'

/** What is known of lessons when an op is judged, by their numbers. */
export interface Watchables {
  lessons: ReadonlyMap<string, LessonLength>
}
type Watch = Extract<ThingFact, { kind: 'watch' }>

/** A player may tell a little more than the file's length: its own count of the last moments, or of a file that was replaced. */
const MORE_S = 5

/** A record holds what a lesson can have and no more. A device that told more has this instead with the answer. */
export function judgeWatch(
  { payload }: Watch,
  { lessons }: Watchables,
): Watch['payload'] | { code: 'unknown_lesson'; msg: string } {
  const lesson = lessons.get(payload.lessonNo)
  if (lesson?.course !== payload.courseNo) return { code: 'unknown_lesson', msg: '课时不存在' }
  const end = lesson.seconds + MORE_S
  return { ...payload, watched: before(payload.watched, end), position: Math.min(payload.position, end) }
}

/** The lessons that a batch tells of. Most batches tell of none, and ask nothing. */
export async function readLessonsOf(
  db: Db,
  uid: string,
  ops: readonly { op: { kind: string }; payload: Record<string, unknown> | null }[],
): Promise<Map<string, LessonLength>> {
  const nos = ops.flatMap(({ op, payload }) => (op.kind === 'watch' && payload ? [String(payload.lessonNo)] : []))
  const lessons = nos.length > 0 ? await readLengths(db, uid, [...new Set(nos)]) : []
  return new Map(lessons.map((lesson) => [lesson.no, lesson]))
}
