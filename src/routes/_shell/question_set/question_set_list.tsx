import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { SetListPage } from '#src/features/questionSet/SetListPage.tsx'

export const Route = createFileRoute('/_shell/question_set/question_set_list')({
  staticData: { title: '题集' },
  component: function SetListRoute() {
    const navigate = useNavigate()
    const open = (no: string) => void navigate({ to: '/question_set/question_set_detail/$no', params: { no } })
    return <SetListPage onOpen={open} />
  },
})
