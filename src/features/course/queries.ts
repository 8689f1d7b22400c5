import { query } from '#src/api/query.ts'
import { course } from '#src/contract/course.ts'

export const courseListQuery = () => query(course.list, {})
export const courseQuery = (no: string) => query(course.detail, { no })
export const packageListQuery = () => query(course.packages, {})
export const packageQuery = (no: string) => query(course.package, { no })
export const myCoursesQuery = () => query(course.mine, {})
