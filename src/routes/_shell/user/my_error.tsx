import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/user/my_error')({
  staticData: { title: '我的错题' },
  component: () => <ComingSoon title="我的错题" about="按章节、知识点与次数整理的错题本。" />,
})
