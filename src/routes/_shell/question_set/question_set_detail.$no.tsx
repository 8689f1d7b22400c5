import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { SetDetailPage } from '#src/features/questionSet/SetDetailPage.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/question_set/question_set_detail/$no')({
  staticData: { title: '题集详情' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && params, stringify: (params) => params },
  component: function SetDetailRoute() {
    const { no } = Route.useParams()
    const navigate = useNavigate()
    const to = '/question_set/question_set_study/$no/$item_no/$title'
    return (
      <SetDetailPage
        key={no}
        no={no}
        onStart={(item_no, title, past) =>
          void navigate({ to, params: { no, item_no, title }, search: past ? { past } : {} })
        }
        onLeave={() => void navigate({ to: '/question_set/question_set_list' })}
      />
    )
  },
})
