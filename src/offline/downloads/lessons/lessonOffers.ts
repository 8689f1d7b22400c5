import type { Lesson, PlayedMedia } from '#src/contract/course.ts'
import type { LessonRow } from './media.ts'

/**
 * A kept lesson after its course has answered. Such an answer may be a month old, because the service worker keeps it: one that
 * is older than what this device has heard or holds changes nothing.
 */
export function afterCourse(row: LessonRow, { rev, edition = 0, bytes }: Lesson): LessonRow {
  // The answer comes from before courses told which version they offer.
  if (rev === undefined || edition < knownEdition(row)) return row
  const { offered } = row
  const isSame = offered?.rev === rev && offered.edition === edition && offered.bytes === bytes
  return isSame ? row : { ...row, offered: { rev, edition, bytes } }
}

/** A kept lesson after `course/lesson` has answered, which nobody keeps: its word counts, whatever was heard before. */
export const afterLesson = (row: LessonRow, { rev, edition = 0 }: PlayedMedia): LessonRow => ({
  ...row,
  offered: { rev, edition, bytes: row.offered?.rev === rev ? row.offered.bytes : null },
})

const knownEdition = ({ offered, ready, next }: LessonRow): number =>
  Math.max(offered?.edition ?? 0, ready?.media.edition ?? 0, next?.media.edition ?? 0)
