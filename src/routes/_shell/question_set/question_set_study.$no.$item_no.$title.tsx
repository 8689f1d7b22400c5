import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { SyncMark } from '#src/app/sync/SyncMark.tsx'
import { PaperPage } from '#src/features/questionSet/PaperPage.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/question_set/question_set_study/$no/$item_no/$title')({
  staticData: { title: '套卷练习' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && isNo(params.item_no) && params, stringify: (params) => params },
  // A sitting that was handed in, to be looked at.
  validateSearch: ({ past }: Record<string, unknown>): { past?: string } => (typeof past === 'string' ? { past } : {}),
  component: function SetStudyRoute() {
    const params = Route.useParams()
    const { past } = Route.useSearch()
    const { no, item_no: itemNo } = params
    const navigate = useNavigate()
    const leave = () => void navigate({ to: '/question_set/question_set_detail/$no', params: { no } })
    return (
      <PaperPage
        key={past ?? itemNo}
        no={no}
        itemNo={itemNo}
        past={past}
        onLeave={leave}
        onRestart={() => void navigate({ to: Route.to, params, search: {}, replace: true })}
        mark={<SyncMark />}
      />
    )
  },
})
