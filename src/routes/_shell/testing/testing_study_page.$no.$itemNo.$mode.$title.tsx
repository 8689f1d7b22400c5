import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { SyncMark } from '#src/app/sync/SyncMark.tsx'
import { isTestingMode } from '#src/features/testing/sheet.ts'
import { TestingStudyPage } from '#src/features/testing/TestingStudyPage.tsx'
import { isNo } from '#src/routes/-params.ts'
import { toSittingId } from '#src/sitting/itemNo.ts'
import { useCourseBehind } from './-course.ts'

export const Route = createFileRoute('/_shell/testing/testing_study_page/$no/$itemNo/$mode/$title')({
  staticData: { title: '测评作答' },
  // false: not this route, so the 404 page.
  params: {
    parse: ({ no, itemNo, mode, title }) =>
      isNo(no) && isNo(itemNo) && isTestingMode(mode) && { no, itemNo, mode, title },
    stringify: (params) => params,
  },
  component: function TestingStudyRoute() {
    const { no, itemNo, mode, title } = Route.useParams()
    const navigate = useNavigate()
    const { course, state } = useCourseBehind()
    const onAnalysis = useCallback(
      () =>
        void navigate({
          to: '/testing/testing_analysis/$no/$itemNo/$title',
          params: { no, itemNo, title },
          replace: true,
          ...(course !== undefined && { state: { course } }),
        }),
      [navigate, no, itemNo, title, course],
    )
    return (
      <TestingStudyPage
        key={`${itemNo} ${mode}`}
        no={no}
        sittingId={toSittingId(itemNo, no)}
        mode={mode}
        onAnalysis={onAnalysis}
        onLeave={() => void navigate({ to: '/testing/testing_detail/$no/$itemNo', params: { no, itemNo }, state })}
        mark={<SyncMark />}
      />
    )
  },
})
