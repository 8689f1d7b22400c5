import { createFileRoute } from '@tanstack/react-router'
import { MyOrderPage } from '#src/features/order/MyOrderPage.tsx'

export const Route = createFileRoute('/_shell/user/my_order')({
  staticData: { title: '我的订单' },
  component: MyOrderPage,
})
