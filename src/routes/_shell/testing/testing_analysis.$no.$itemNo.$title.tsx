import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { v7 as uuidv7 } from 'uuid'
import { SyncMark } from '#src/app/sync/SyncMark.tsx'
import type { TestingMode } from '#src/features/testing/sheet.ts'
import { TestingAnalysisPage } from '#src/features/testing/TestingAnalysisPage.tsx'
import { isNo } from '#src/routes/-params.ts'
import { toSittingId, toItemNo } from '#src/sitting/itemNo.ts'
import { useCourseBehind } from './-course.ts'

export const Route = createFileRoute('/_shell/testing/testing_analysis/$no/$itemNo/$title')({
  staticData: { title: '测评解析' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && isNo(params.itemNo) && params, stringify: (params) => params },
  component: function TestingAnalysisRoute() {
    const { no, itemNo, title } = Route.useParams()
    const navigate = useNavigate()
    const { state } = useCourseBehind()
    const study = (sitting: string, mode: TestingMode) =>
      void navigate({
        to: '/testing/testing_study_page/$no/$itemNo/$mode/$title',
        params: { no, itemNo: sitting, mode, title },
        state,
      })
    return (
      <TestingAnalysisPage
        key={itemNo}
        no={no}
        sittingId={toSittingId(itemNo, no)}
        title={title}
        onAgain={(mode) => study(toItemNo(uuidv7()), mode)}
        onContinue={(mode) => study(itemNo, mode)}
        onLeave={() => void navigate({ to: '/testing/testing_detail/$no/$itemNo', params: { no, itemNo }, state })}
        mark={<SyncMark />}
      />
    )
  },
})
