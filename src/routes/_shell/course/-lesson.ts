import type { UseNavigateResult } from '@tanstack/react-router'
import type { CourseDetail, Lesson } from '#src/contract/course.ts'

/** Opens a lesson where it plays. `pack`: it is studied as part of that package, whose courses go on one after another. */
export function openLesson(
  navigate: UseNavigateResult<string>,
  { no, kind, open }: Pick<CourseDetail, 'no' | 'kind' | 'open'>,
  { no: id }: Pick<Lesson, 'no'>,
  pack?: string,
): void {
  const state = { from: window.location.pathname }
  if (kind === 'audio' && !pack) void navigate({ to: '/course/course_audio/$no/$id', params: { no, id }, state })
  else
    void navigate({
      to: '/course/course_video/$no/$id/$type',
      params: { no: pack ?? no, id, type: pack ? 'package' : open ? 'course' : 'trial' },
      state,
    })
}
