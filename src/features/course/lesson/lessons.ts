import type { CourseDetail, Lesson } from '#src/contract/course.ts'

/** A lesson with all that it stands in. */
export interface PlacedLesson extends Lesson {
  course: CourseDetail
  unit: { no: string; title: string }
  /** The server lets this student have it. */
  open: boolean
  /** No other lesson of its unit comes after it. */
  last: boolean
}

/** Of one course, or of the courses of a package, in order. */
export function placed(courses: readonly CourseDetail[], all: boolean): PlacedLesson[] {
  return courses.flatMap((course) =>
    course.units.flatMap(({ lessons, no, title }) =>
      lessons.map((lesson, i) => ({
        ...lesson,
        course,
        unit: { no, title },
        open: all || course.open || lesson.trial,
        last: i === lessons.length - 1,
      })),
    ),
  )
}

/** Whether somebody who does not have a course can still get it. */
export const isForSale = ({ withdrawn, packages }: CourseDetail): boolean => !withdrawn || packages.length > 0

/** The lesson before a lesson, or after it; null: there is none. */
export function beside(lessons: readonly PlacedLesson[], no: string, by: 1 | -1): PlacedLesson | null {
  const i = lessons.findIndex((lesson) => lesson.no === no)
  return i < 0 ? null : (lessons[i + by] ?? null)
}

/** As it is read aloud: 12分34秒. */
export function spokenLength(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds))
  const minutes = Math.floor(s / 60)
  return minutes > 0 ? `${minutes}分${s % 60}秒` : `${s}秒`
}
