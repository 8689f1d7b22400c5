import type { CourseDetail, Lesson } from '#src/contract/course.ts'

/** Where a lesson plays. `pack`: it is studied as part of that package, whose courses go on one after another. */
export const lessonWay = (
  { no, kind, open }: Pick<CourseDetail, 'no' | 'kind' | 'open'>,
  { no: id }: Pick<Lesson, 'no'>,
  pack?: string,
) =>
  kind === 'audio' && !pack
    ? ({ to: '/course/course_audio/$no/$id', params: { no, id } } as const)
    : ({
        to: '/course/course_video/$no/$id/$type',
        params: { no: pack ?? no, id, type: pack ? 'package' : open ? 'course' : 'trial' },
      } as const)
export type LessonWay = ReturnType<typeof lessonWay>
