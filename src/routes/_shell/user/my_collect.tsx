import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/user/my_collect')({
  staticData: { title: '我的收藏' },
  component: () => <ComingSoon title="我的收藏" about="收藏的题目。" />,
})
