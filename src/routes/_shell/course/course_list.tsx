import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/course/course_list')({
  staticData: { title: '课程', chip: true },
  component: () => <ComingSoon title="课程" about="系统精讲与公开课：按科目、形式和价格筛选，看过的位置自动续播。" />,
})
