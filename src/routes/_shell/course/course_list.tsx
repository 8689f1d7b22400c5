import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { type CourseSearch, filterOf, searchOf } from '#src/domain/courses.ts'
import { CourseListPage } from '#src/features/course/CourseListPage.tsx'

const HERE = { from: '/course/course_list' }

export const Route = createFileRoute('/_shell/course/course_list')({
  staticData: { title: '课程', chip: true },
  // In the address, so that coming back finds what was looked for; read by the page, because this is in the first file.
  validateSearch: (search: Record<string, unknown>): CourseSearch => search,
  component: function CourseListRoute() {
    const navigate = useNavigate()
    return (
      <CourseListPage
        filter={filterOf(Route.useSearch())}
        onFilter={(filter) =>
          void navigate({ to: '/course/course_list', search: searchOf(filter), replace: true, resetScroll: false })
        }
        onCourse={(no) => void navigate({ to: '/course/course_detail/$no', params: { no }, state: HERE })}
        onPackage={(no) => void navigate({ to: '/course/course_package/$no', params: { no }, state: HERE })}
      />
    )
  },
})
