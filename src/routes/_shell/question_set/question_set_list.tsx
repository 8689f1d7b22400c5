import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { SetListPage } from '#src/features/questionSet/SetListPage.tsx'
import { NO_PROGRESS } from '#src/features/questionSet/texts.ts'

export const Route = createFileRoute('/_shell/question_set/question_set_list')({
  staticData: { title: '题集' },
  component: function SetListRoute() {
    const navigate = useNavigate()
    const open = (no: string) => void navigate({ to: '/question_set/question_set_detail/$no', params: { no } })
    return <SetListPage progress={NO_PROGRESS} onOpen={open} />
  },
})
