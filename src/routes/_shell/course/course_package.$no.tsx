import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { PackagePage } from '#src/features/course/PackagePage.tsx'
import { useLeave } from '#src/routes/-leave.ts'
import { isNo } from '#src/routes/-params.ts'
import { lastSearch } from './-list.ts'
import { SLOTS } from './-slots.tsx'

export const Route = createFileRoute('/_shell/course/course_package/$no')({
  staticData: { title: '课程套餐' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && params, stringify: (params) => params },
  component: function CoursePackageRoute() {
    const { no } = Route.useParams()
    const navigate = useNavigate()
    const leave = useLeave('/course/course_list', () => navigate({ to: '/course/course_list', search: lastSearch() }))
    return (
      <PackagePage
        no={no}
        onCourse={(of) => void navigate({ to: '/course/course_detail/$no', params: { no: of } })}
        onLeave={leave}
        slots={SLOTS}
      />
    )
  },
})
