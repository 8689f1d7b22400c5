import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { ExamAnalysisPage } from '#src/features/exam/ExamAnalysisPage.tsx'
import { toSittingId } from '#src/sitting/itemNo.ts'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/exam/exam_analysis/$no/$title/$itemNo/{-$currentId}')({
  staticData: { title: '考试解析' },
  // false: not this route, so the 404 page.
  params: {
    parse: (params) => isNo(params.no) && isNo(params.itemNo) && params,
    stringify: (params) => params,
  },
  component: function ExamAnalysisRoute() {
    const { itemNo, title, currentId } = Route.useParams()
    const navigate = useNavigate()
    return (
      <ExamAnalysisPage
        key={itemNo}
        sittingId={toSittingId(itemNo)}
        title={title}
        currentId={currentId}
        onLeave={() => void navigate({ to: '/exam/exam_report/$itemNo', params: { itemNo } })}
      />
    )
  },
})
