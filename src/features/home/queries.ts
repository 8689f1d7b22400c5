import { query } from '#src/api/query.ts'
import { course } from '#src/contract/course.ts'
import { getHomeData } from '#src/contract/home.ts'

export const homeQuery = () => query(getHomeData, {})
export const courseQuery = (no: string) => query(course.detail, { no })
