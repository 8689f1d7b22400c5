import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { ExamDetailPage } from '#src/features/exam/ExamDetailPage.tsx'
import { toItemNo } from '#src/sitting/itemNo.ts'
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
        onEnter={({ kind, title, minutes }, id, mode) =>
          void navigate({
            to,
            params: { type: kind, mode, no, title, itemNo: toItemNo(id), limitTime: String(minutes) },
            state: { from: window.location.pathname },
          })
        }
        onReport={(id) => void navigate({ to: '/exam/exam_report/$itemNo', params: { itemNo: toItemNo(id) } })}
        onLeave={() => void navigate({ to: '/exam/exam_list' })}
      />
    )
  },
})
