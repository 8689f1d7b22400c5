import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/order/payment/$products')({
  staticData: { title: '确认订单' },
  component: () => <ComingSoon title="确认订单" about="下单与支付。" />,
})
