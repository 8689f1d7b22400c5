import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/user/my_order')({
  staticData: { title: '我的订单' },
  component: () => <ComingSoon title="我的订单" about="全部订单。" />,
})
