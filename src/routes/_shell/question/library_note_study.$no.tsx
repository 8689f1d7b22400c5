import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/question/library_note_study/$no')({
  staticData: { title: '笔记练习' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && params, stringify: (params) => params },
  component: () => <ComingSoon title="笔记练习" about="写过笔记的题目集中复习。" />,
})
