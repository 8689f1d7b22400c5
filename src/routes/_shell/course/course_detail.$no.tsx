import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { CourseDetailPage } from '#src/features/course/CourseDetailPage.tsx'
import { session } from '#src/session/session.ts'
import { useLeave } from '#src/routes/-leave.ts'
import { isNo } from '#src/routes/-params.ts'
import { openLesson } from './-lesson.ts'
import { lastSearch } from './-list.ts'
import { SLOTS } from './-slots.tsx'

const LINKS = {
  library: (no: string, title: string) => (
    <Link to="/question/library_study/$no/$count/$title" params={{ no, count: session.get().chapterCount, title }}>
      {title}
    </Link>
  ),
  package: (no: string, title: string) => (
    <Link to="/course/course_package/$no" params={{ no }}>
      {title}
    </Link>
  ),
}

export const Route = createFileRoute('/_shell/course/course_detail/$no')({
  staticData: { title: '课程详情' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && params, stringify: (params) => params },
  component: function CourseDetailRoute() {
    const { no } = Route.useParams()
    const navigate = useNavigate()
    const leave = useLeave('/course/course_list', () => navigate({ to: '/course/course_list', search: lastSearch() }))
    return (
      <CourseDetailPage
        no={no}
        onLesson={({ course, lesson }) => openLesson(navigate, course, lesson)}
        onLeave={leave}
        slots={SLOTS}
        links={LINKS}
      />
    )
  },
})
