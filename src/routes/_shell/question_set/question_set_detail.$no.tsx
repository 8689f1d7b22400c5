import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { SetDetailPage } from '#src/features/questionSet/SetDetailPage.tsx'
import { NO_PROGRESS } from '#src/features/questionSet/texts.ts'
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
        progress={NO_PROGRESS}
        onStart={(item_no, title) => void navigate({ to, params: { no, item_no, title } })}
        onLeave={() => void navigate({ to: '/question_set/question_set_list' })}
      />
    )
  },
})
