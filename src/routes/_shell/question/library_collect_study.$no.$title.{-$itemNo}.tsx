import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/question/library_collect_study/$no/$title/{-$itemNo}')({
  staticData: { title: '收藏练习', footer: false },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && params, stringify: (params) => params },
  component: () => <ComingSoon title="收藏练习" about="收藏的题目随时再练。" />,
})
