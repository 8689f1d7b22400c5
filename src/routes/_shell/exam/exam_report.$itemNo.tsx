import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/exam/exam_report/$itemNo')({
  staticData: { title: '考试报告' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.itemNo) && params, stringify: (params) => params },
  component: () => <ComingSoon title="考试报告" about="成绩、用时与知识点分析。" />,
})
