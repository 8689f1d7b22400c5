import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { MySetsPage } from '#src/features/questionSet/MySetsPage.tsx'

export const Route = createFileRoute('/_shell/user/my_set')({
  staticData: { title: '我的题集' },
  component: function MySetRoute() {
    const navigate = useNavigate()
    const to = '/question_set/question_set_study/$no/$item_no/$title'
    return (
      <MySetsPage
        onStudy={({ no, itemNo, title, past }) =>
          void navigate({ to, params: { no, item_no: itemNo, title }, search: past ? { past } : {} })
        }
        onList={() => void navigate({ to: '/question_set/question_set_list' })}
      />
    )
  },
})
