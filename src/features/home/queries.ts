import { query } from '#src/api/query.ts'
import { course } from '#src/contract/course.ts'

export const courseQuery = (no: string) => query(course.detail, { no })
