import { createFileRoute, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { SyncMark } from '#src/app/sync/SyncMark.tsx'
import { ExamStudyPage } from '#src/features/exam/ExamStudyPage.tsx'
import { toSittingId } from '#src/sitting/itemNo.ts'
import { useLeave } from '#src/routes/-leave.ts'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/exam/exam_study/$type/$mode/$no/$title/$itemNo/$limitTime')({
  staticData: { title: '考试作答', footer: false },
  // false: not this route, so the 404 page.
  params: {
    parse: (params) => isNo(params.type) && isNo(params.mode) && isNo(params.no) && isNo(params.itemNo) && params,
    stringify: (params) => params,
  },
  component: function ExamStudyRoute() {
    const { no, itemNo, mode } = Route.useParams()
    const navigate = useNavigate()
    const onReport = useCallback(
      () => void navigate({ to: '/exam/exam_report/$itemNo', params: { itemNo }, replace: true }),
      [itemNo, navigate],
    )
    const detail = { to: '/exam/exam_detail/$examId', params: { examId: no }, replace: true } as const
    const leave = useLeave(`/exam/exam_detail/${no}`, () => navigate(detail))
    const router = useRouter()
    useEffect(() => {
      // The receipt's page is here before the network goes: the worker of a first visit may not have it yet.
      void router.preloadRoute({ to: '/exam/exam_report/$itemNo', params: { itemNo } })
    }, [itemNo, router])
    return (
      <ExamStudyPage
        key={itemNo}
        no={no}
        sittingId={toSittingId(itemNo)}
        mode={mode === 'practice' ? 'practice' : 'exam'}
        onReport={onReport}
        onLeave={leave}
        mark={<SyncMark />}
      />
    )
  },
})
