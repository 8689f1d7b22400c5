import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { ExamRankPage } from '#src/features/exam/rank/ExamRankPage.tsx'
import { isNo, wholeNumber } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/exam/exam_rank/$no/$name/$applyCount')({
  staticData: { title: '考试排名' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && params, stringify: (params) => params },
  component: function ExamRankRoute() {
    const { no, name, applyCount } = Route.useParams()
    const navigate = useNavigate()
    return (
      <ExamRankPage
        key={no}
        no={no}
        name={name}
        applyCount={wholeNumber(applyCount, 0, Number.MAX_SAFE_INTEGER) ?? 0}
        onLeave={() => void navigate({ to: '/exam/exam_detail/$examId', params: { examId: no } })}
      />
    )
  },
})
