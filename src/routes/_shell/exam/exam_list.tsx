import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { ExamListPage } from '#src/features/exam/ExamListPage.tsx'

export const Route = createFileRoute('/_shell/exam/exam_list')({
  staticData: { title: '模拟考试', chip: true },
  component: function ExamListRoute() {
    const navigate = useNavigate()
    return <ExamListPage onOpen={(examId) => void navigate({ to: '/exam/exam_detail/$examId', params: { examId } })} />
  },
})
