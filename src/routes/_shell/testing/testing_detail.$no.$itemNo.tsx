import { createFileRoute, useNavigate, useRouter } from '@tanstack/react-router'
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
    // Of the unit that it ends: back to where that is studied.
    const ofCourse = history.location.state.from?.startsWith('/course/')
    const study = '/testing/testing_study_page/$no/$itemNo/$mode/$title'
    const analysis = '/testing/testing_analysis/$no/$itemNo/$title'
    return (
      <TestingDetailPage
        key={no}
        no={no}
        attemptId={toAttemptId(itemNo, no)}
        onStudy={({ id, ...rest }) => void navigate({ to: study, params: { no, itemNo: toItemNo(id), ...rest } })}
        onAnalysis={(id, title) => void navigate({ to: analysis, params: { no, itemNo: toItemNo(id), title } })}
        out={ofCourse ? '返回课程' : '全部测评'}
        onLeave={() =>
          ofCourse
            ? history.back()
            : void navigate({ to: '/question_set/question_set_list', search: { tab: 'testing' } })
        }
      />
    )
  },
})
