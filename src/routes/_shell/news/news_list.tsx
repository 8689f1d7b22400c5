import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/news/news_list')({
  staticData: { title: '资讯', chip: true },
  component: () => <ComingSoon title="资讯" about="报名安排、政策解读与备考建议，离线也能读。" />,
})
