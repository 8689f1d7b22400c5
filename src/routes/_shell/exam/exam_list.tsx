import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/exam/exam_list')({
  staticData: { title: '模拟考试', chip: true },
  component: () => <ComingSoon title="模拟考试" about="全真模考：没有网络也能从开考做到交卷，并给出交卷回执。" />,
})
