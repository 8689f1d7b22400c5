import type { CourseDetail } from '#src/contract/course.ts'
import { done } from '#src/offline/device/idb.ts'
import type { LessonRow } from './media.ts'

/** What the page of a downloaded lesson needs of its course. */
export interface CourseRow {
  owner: string
  no: string
  course: CourseDetail
}

/** Without what only the course's own page shows: a unit's titles weigh nothing, its teacher's life does. */
const slim = (course: CourseDetail): CourseDetail => ({
  ...course,
  intro: '',
  aboutTeacher: '',
  libraries: [],
  handouts: [],
  packages: [],
})
const storeOf = (tx: IDBTransaction): IDBObjectStore => tx.objectStore('courses')

export const courseOf = async (tx: IDBTransaction, owner: string, no: string): Promise<CourseDetail | null> =>
  (await done<CourseRow | undefined>(storeOf(tx).get([owner, no])))?.course ?? null
/** @param rows this student's: a course of which nothing is wanted here is not kept */
export async function putCourse(
  tx: IDBTransaction,
  owner: string,
  course: CourseDetail,
  rows: readonly LessonRow[],
): Promise<void> {
  if (rows.some((row) => row.course === course.no))
    await done(storeOf(tx).put({ owner, no: course.no, course: slim(course) } satisfies CourseRow))
}
/** Courses of which no lesson is left. */
export async function pruneCourses(tx: IDBTransaction, owner: string, rows: readonly LessonRow[]): Promise<void> {
  const needed = new Set(rows.map(({ course }) => course))
  const keys = (await done(storeOf(tx).getAllKeys(IDBKeyRange.bound([owner], [owner, []])))) as [string, string][]
  await Promise.all(keys.filter(([, no]) => !needed.has(no)).map((key) => done(storeOf(tx).delete(key))))
}
