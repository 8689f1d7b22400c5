import type { CourseHead, Lesson } from '#src/contract/course.ts'
import type { Thing } from '#src/contract/study.ts'
import { secondsOf, watchedShare } from '#src/domain/course/watched.ts'

/** What was watched, by lesson: the record's things of kind `lesson`. */
export type Watched = ReadonlyMap<string, Thing<'lesson'>>

/** 0 … 1 of a whole course; lessons that it no longer has count for nothing. */
export function courseShare({ lessons, seconds }: Pick<CourseHead, 'lessons' | 'seconds'>, watched: Watched): number {
  const sum = lessons.reduce((all, no) => all + secondsOf(watched.get(no)?.watched ?? []), 0)
  return watchedShare([[0, sum]], seconds)
}

export const lessonShare = ({ no, seconds }: Lesson, watched: Watched): number =>
  watchedShare(watched.get(no)?.watched ?? [], seconds)

/** The lesson of these that was watched last; null while none was. */
export function lastOf(lessons: readonly string[], watched: Watched): { no: string; at: number } | null {
  const seen = lessons.flatMap((no) => {
    const of = watched.get(no)
    return of ? [{ no, at: of.at }] : []
  })
  return seen.sort((a, b) => b.at - a.at)[0] ?? null
}
