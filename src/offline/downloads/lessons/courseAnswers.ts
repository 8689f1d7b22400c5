import type { CourseDetail, PackageDetail } from '#src/contract/course.ts'

/**
 * Courses that the server has answered with on this page, whichever screen asked. Downloaded lessons compare themselves with each;
 * their engine is loaded later than most answers, which wait for it here.
 */
const waiting = new Map<string, CourseDetail>()
let take: ((course: CourseDetail) => void) | null = null

/** @param path of the call that has answered */
export function heardAnswer(path: unknown, data: unknown): void {
  // Under its path stands what the contract says of it.
  const courses =
    path === 'course/detail' ? [data as CourseDetail] : path === 'course/package' ? (data as PackageDetail).courses : []
  for (const course of courses)
    if (take) take(course)
    else waiting.set(course.no, course)
}

/** Called once, by the engine of downloads. */
export function takeCourses(taking: (course: CourseDetail) => void): void {
  take = taking
  for (const course of waiting.values()) taking(course)
  waiting.clear()
}
