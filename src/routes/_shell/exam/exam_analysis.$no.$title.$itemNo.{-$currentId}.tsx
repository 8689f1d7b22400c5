import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/exam/exam_analysis/$no/$title/$itemNo/{-$currentId}')({
  staticData: { title: '考试解析' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && isNo(params.itemNo) && params, stringify: (params) => params },
  component: () => <ComingSoon title="考试解析" about="逐题解析。" />,
})
