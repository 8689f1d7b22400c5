import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/user/my_set')({
  staticData: { title: '我的题集' },
  component: () => <ComingSoon title="我的题集" about="已购题集与最好成绩。" />,
})
