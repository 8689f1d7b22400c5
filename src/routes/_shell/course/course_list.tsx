import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type CourseSearch, filterOf, searchOf } from '#src/domain/course/courses.ts'
import { CourseListPage } from '#src/features/course/CourseListPage.tsx'
import { KeptCoursesPage } from '#src/features/course/KeptCoursesPage.tsx'
import { Kept } from './-kept.tsx'
import { lastSearch, rememberSearch } from './-list.ts'

export const Route = createFileRoute('/_shell/course/course_list')({
  staticData: { title: '课程', chip: true },
  // In the address, so that coming back finds what was looked for; read by the page, because this is in the first file.
  validateSearch: (search: Record<string, unknown>): CourseSearch => search,
  component: function CourseListRoute() {
    const navigate = useNavigate()
    const search = Route.useSearch()
    const isList = !search.kept
    useEffect(() => {
      if (isList) rememberSearch(search)
    }, [search, isList])
    if (!isList)
      return (
        <KeptCoursesPage onLeave={() => void navigate({ to: '/course/course_list', search: lastSearch() })}>
          <Kept />
        </KeptCoursesPage>
      )
    return (
      <CourseListPage
        filter={filterOf(search)}
        onFilter={(filter) =>
          void navigate({ to: '/course/course_list', search: searchOf(filter), replace: true, resetScroll: false })
        }
      />
    )
  },
})
