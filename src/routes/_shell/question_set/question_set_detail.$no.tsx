import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/question_set/question_set_detail/$no')({
  staticData: { title: '题集详情' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && params, stringify: (params) => params },
  component: () => <ComingSoon title="题集详情" about="套卷目录与最好成绩。" />,
})
