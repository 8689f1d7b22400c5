import { createFileRoute, useNavigate, useRouter } from '@tanstack/react-router'
import { TestingDetailPage } from '#src/features/testing/TestingDetailPage.tsx'
import { isNo } from '#src/routes/-params.ts'
import { toSittingId, toItemNo } from '#src/sitting/itemNo.ts'
import { useCourseBehind } from './-course.ts'

export const Route = createFileRoute('/_shell/testing/testing_detail/$no/$itemNo')({
  staticData: { title: '测评' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && isNo(params.itemNo) && params, stringify: (params) => params },
  component: function TestingDetailRoute() {
    const { no, itemNo } = Route.useParams()
    const navigate = useNavigate()
    const { history } = useRouter()
    const { course, isBefore, state } = useCourseBehind()
    const study = '/testing/testing_study_page/$no/$itemNo/$mode/$title'
    const analysis = '/testing/testing_analysis/$no/$itemNo/$title'
    return (
      <TestingDetailPage
        key={no}
        no={no}
        sittingId={toSittingId(itemNo, no)}
        onStudy={({ id, ...rest }) =>
          void navigate({ to: study, params: { no, itemNo: toItemNo(id), ...rest }, state })
        }
        onAnalysis={(id, title) => void navigate({ to: analysis, params: { no, itemNo: toItemNo(id), title }, state })}
        out={course ? '返回课程' : '全部测评'}
        onLeave={() => {
          // With its place, where it is the entry before.
          if (isBefore) history.back()
          else if (course) void navigate({ to: course })
          else void navigate({ to: '/question_set/question_set_list', search: { tab: 'testing' } })
        }}
      />
    )
  },
})
