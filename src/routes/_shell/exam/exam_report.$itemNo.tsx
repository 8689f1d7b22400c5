import type { ExamKey } from '#src/contract/exam.ts'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { PRODUCT } from '#src/app/product.ts'
import { ExamReportPage } from '#src/features/exam/ExamReportPage.tsx'
import { ExamPoster } from '#src/features/stats/poster/ExamPoster.tsx'
import { toSittingId } from '#src/sitting/itemNo.ts'
import { isNo } from '#src/routes/-params.ts'

const posterOf = (examKey: ExamKey, title: string) => <ExamPoster examKey={examKey} title={title} product={PRODUCT} />

export const Route = createFileRoute('/_shell/exam/exam_report/$itemNo')({
  staticData: { title: '考试报告' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.itemNo) && params, stringify: (params) => params },
  component: function ExamReportRoute() {
    const { itemNo } = Route.useParams()
    const navigate = useNavigate()
    return (
      <ExamReportPage
        key={itemNo}
        sittingId={toSittingId(itemNo)}
        product={PRODUCT}
        poster={posterOf}
        onAnalysis={(no, title) =>
          void navigate({ to: '/exam/exam_analysis/$no/$title/$itemNo/{-$currentId}', params: { no, title, itemNo } })
        }
        onLeave={(no) =>
          void (no
            ? navigate({ to: '/exam/exam_detail/$examId', params: { examId: no } })
            : navigate({ to: '/exam/exam_list' }))
        }
      />
    )
  },
})
