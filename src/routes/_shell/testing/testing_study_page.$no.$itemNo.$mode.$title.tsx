import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/testing/testing_study_page/$no/$itemNo/$mode/$title')({
  staticData: { title: '测评作答' },
  // false: not this route, so the 404 page.
  params: {
    parse: (params) => isNo(params.no) && isNo(params.itemNo) && isNo(params.mode) && params,
    stringify: (params) => params,
  },
  component: () => <ComingSoon title="测评作答" about="测评作答。" />,
})
