import { TAB_KEYS } from '#src/device/keys.ts'
import { type CourseSearch, filterOf, searchOf } from '#src/domain/course/courses.ts'
import { session } from '#src/session/session.ts'
import { tabMemory } from '#src/device/stores.ts'

const direction = (): string => session.scope().sg_key

/** 全部课程 leads back to what was looked for last in this tab, from wherever a course was opened. */
export const rememberSearch = (search: CourseSearch): void =>
  tabMemory.set(TAB_KEYS.courses, JSON.stringify([direction(), search]))

export function lastSearch(): CourseSearch {
  // Another direction has other subjects.
  const [of, search] = JSON.parse(tabMemory.get(TAB_KEYS.courses) ?? '[]')
  return of === direction() ? searchOf(filterOf(search)) : {}
}
