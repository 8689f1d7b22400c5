import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/user/my_course')({
  staticData: { title: '我的课程', chip: true },
  component: () => <ComingSoon title="我的课程" about="已购课程与学习进度。" />,
})
