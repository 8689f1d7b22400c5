import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/pdf/$url')({
  staticData: { title: '文档' },
  component: () => <ComingSoon title="文档" about="讲义与文档在线阅读。" />,
})
