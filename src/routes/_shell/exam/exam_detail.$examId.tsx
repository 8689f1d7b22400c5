import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/exam/exam_detail/$examId')({
  staticData: { title: '考试详情' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.examId) && params, stringify: (params) => params },
  component: () => <ComingSoon title="考试详情" about="考试规则、时间与报名。" />,
})
