import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/question_set/question_set_study/$no/$item_no/$title')({
  staticData: { title: '套卷练习' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && isNo(params.item_no) && params, stringify: (params) => params },
  component: () => <ComingSoon title="套卷练习" about="即时反馈、交卷后看、背题三种练法。" />,
})
