import type { CourseDetail, Lesson } from '#src/contract/course.ts'
import { secondsOf, type Span, watchedShare } from './watched.ts'

/** What a student's record has of a lesson. */
export interface WatchedLesson {
  /** When it was watched last, epoch ms. */
  at: number
  opId: string
  courseNo: string
  watched: readonly Span[]
}
type Watched<T> = ReadonlyMap<string, T>

/** Less was only looked into: it is not what a student goes on with. */
const BEGUN_S = 10

/** The lesson that was watched last, among these; null while none was begun. */
export function lastWatched<T extends Pick<WatchedLesson, 'at' | 'watched'>>(
  watched: Watched<T>,
  among?: readonly string[],
): (T & { no: string }) | null {
  let last: (T & { no: string }) | null = null
  for (const no of among ?? watched.keys()) {
    const each = watched.get(no)
    if (each && secondsOf(each.watched) >= BEGUN_S && each.at > (last?.at ?? -1)) last = { ...each, no }
  }
  return last
}

/** No student has more on their hands. */
const COURSES_MAX = 4

/** Courses that were begun, the one that was watched last first. */
export function begunCourses(watched: Watched<WatchedLesson>): string[] {
  const begun = [...watched.values()].filter((each) => secondsOf(each.watched) >= BEGUN_S)
  const courses = new Set(begun.sort((a, b) => b.at - a.at).map(({ courseNo }) => courseNo))
  return [...courses].slice(0, COURSES_MAX)
}

/**
 * Where a course goes on: at the lesson that was watched last; when that is finished, at the next one that is not, then at those
 * that were left out before it. Its first lesson while none was begun; null when all of it was watched.
 */
export function goesOnAt<T extends { no: string; seconds: number }>(
  lessons: readonly T[],
  watched: Watched<Pick<WatchedLesson, 'at' | 'watched'>>,
): T | null {
  const nos = lessons.map(({ no }) => no)
  const from = Math.max(0, nos.indexOf(lastWatched(watched, nos)?.no ?? ''))
  const open = ({ no, seconds }: T) => watchedShare(watched.get(no)?.watched ?? [], seconds) < 1
  return [...lessons.slice(from), ...lessons.slice(0, from)].find(open) ?? null
}

export const lessonsOf = ({ units }: Pick<CourseDetail, 'units'>): Lesson[] => units.flatMap(({ lessons }) => lessons)
/** Those that the student may have. */
export const mineOf = (course: Pick<CourseDetail, 'units' | 'open'>): Lesson[] =>
  lessonsOf(course).filter(({ trial }) => course.open || trial)

interface Sold {
  /** Of the course, or of the package that it is studied in. */
  no: string
  type: 'course' | 'package' | 'trial'
  /** Those that the student may have, of the course of what was watched last. */
  lessons: readonly { no: string; title: string; seconds: number }[]
}

/** A course by itself. */
export const soldAlone = (course: CourseDetail): Sold => ({
  no: course.no,
  type: course.open ? 'course' : 'trial',
  lessons: mineOf(course),
})

/**
 * 继续上课, as a device remembers it: the word that it rests upon, where it leads, and the lesson's name; of a course that is
 * finished the word alone.
 */
export function goOnText(
  last: Pick<WatchedLesson, 'opId'>,
  { no, type, lessons }: Sold,
  watched: Watched<WatchedLesson>,
): string {
  const next = goesOnAt(lessons, watched)
  return next ? [last.opId, `/course/course_video/${no}/${next.no}/${type}`, next.title].join('\n') : last.opId
}
