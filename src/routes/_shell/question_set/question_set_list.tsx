import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/question_set/question_set_list')({
  staticData: { title: '题集' },
  component: () => <ComingSoon title="题集" about="历年真题、模拟卷与专项套卷。" />,
})
