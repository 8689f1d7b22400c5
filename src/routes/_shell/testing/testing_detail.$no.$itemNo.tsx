import { createFileRoute, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { TestingDetailPage } from '#src/features/testing/TestingDetailPage.tsx'
import { isNo } from '#src/routes/-params.ts'
import { toAttemptId, toItemNo } from '#src/sitting/itemNo.ts'

export const Route = createFileRoute('/_shell/testing/testing_detail/$no/$itemNo')({
  staticData: { title: '测评' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && isNo(params.itemNo) && params, stringify: (params) => params },
  component: function TestingDetailRoute() {
    const { no, itemNo } = Route.useParams()
    const navigate = useNavigate()
    const { history } = useRouter()
    // The course, or its lesson; not what is looked at of the testing itself.
    const opener = /^\/course\/course_(detail|package|video|audio)\//.exec(useLocation().state.from ?? '')?.[1]
    const study = '/testing/testing_study_page/$no/$itemNo/$mode/$title'
    const analysis = '/testing/testing_analysis/$no/$itemNo/$title'
    return (
      <TestingDetailPage
        key={no}
        no={no}
        attemptId={toAttemptId(itemNo, no)}
        onStudy={({ id, ...rest }) => void navigate({ to: study, params: { no, itemNo: toItemNo(id), ...rest } })}
        onAnalysis={(id, title) => void navigate({ to: analysis, params: { no, itemNo: toItemNo(id), title } })}
        out={opener ? (/^[dp]/.test(opener) ? '返回课程' : '返回课时') : '全部测评'}
        onLeave={() =>
          opener ? history.back() : void navigate({ to: '/question_set/question_set_list', search: { tab: 'testing' } })
        }
      />
    )
  },
})
