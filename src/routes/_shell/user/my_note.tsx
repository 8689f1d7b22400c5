import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/user/my_note')({
  staticData: { title: '我的笔记' },
  component: () => <ComingSoon title="我的笔记" about="写过的笔记。" />,
})
