import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/course/course_package/$no')({
  staticData: { title: '课程套餐' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && params, stringify: (params) => params },
  component: () => <ComingSoon title="课程套餐" about="多门课程组合购买。" />,
})
