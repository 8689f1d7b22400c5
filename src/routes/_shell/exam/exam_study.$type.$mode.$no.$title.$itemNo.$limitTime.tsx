import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/exam/exam_study/$type/$mode/$no/$title/$itemNo/$limitTime')({
  staticData: { title: '考试作答' },
  // false: not this route, so the 404 page.
  params: {
    parse: (params) => isNo(params.type) && isNo(params.mode) && isNo(params.no) && isNo(params.itemNo) && params,
    stringify: (params) => params,
  },
  component: () => <ComingSoon title="考试作答" about="计时作答，逐题保存。" />,
})
