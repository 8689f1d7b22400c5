import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { SyncMark } from '#src/app/SyncMark.tsx'
import { PaperPage } from '#src/features/questionSet/PaperPage.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/question_set/question_set_study/$no/$item_no/$title')({
  staticData: { title: '套卷练习' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && isNo(params.item_no) && params, stringify: (params) => params },
  component: function SetStudyRoute() {
    const { no, item_no: itemNo } = Route.useParams()
    const navigate = useNavigate()
    const leave = () => void navigate({ to: '/question_set/question_set_detail/$no', params: { no } })
    return <PaperPage key={itemNo} no={no} itemNo={itemNo} onLeave={leave} mark={<SyncMark />} />
  },
})
