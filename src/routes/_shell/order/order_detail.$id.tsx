import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/order/order_detail/$id')({
  staticData: { title: '订单详情' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.id) && params, stringify: (params) => params },
  component: () => <ComingSoon title="订单详情" about="订单状态与物流。" />,
})
