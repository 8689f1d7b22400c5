import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/question/library_error_study/$no/$mode/$consolidate')({
  staticData: { title: '错题练习', footer: false },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && isNo(params.mode) && params, stringify: (params) => params },
  component: () => <ComingSoon title="错题练习" about="错题自动收集、间隔复习，练会才移出。" />,
})
