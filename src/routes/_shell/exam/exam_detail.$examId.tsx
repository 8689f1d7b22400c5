import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { ExamDetailPage } from '#src/features/exam/ExamDetailPage.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/exam/exam_detail/$examId')({
  staticData: { title: '考试详情' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.examId) && params, stringify: (params) => params },
  component: function ExamDetailRoute() {
    const { examId: no } = Route.useParams()
    const navigate = useNavigate()
    const to = '/exam/exam_study/$type/$mode/$no/$title/$itemNo/$limitTime'
    return (
      <ExamDetailPage
        key={no}
        no={no}
        onEnter={({ kind, title, minutes }) =>
          void navigate({
            to,
            params: { type: kind, mode: 'exam', no, title, itemNo: no, limitTime: String(minutes) },
          })
        }
        onLeave={() => void navigate({ to: '/exam/exam_list' })}
      />
    )
  },
})
