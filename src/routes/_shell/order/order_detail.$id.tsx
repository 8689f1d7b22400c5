import { createFileRoute, useNavigate } from '@tanstack/react-router'
import type { PayMethod } from '#src/contract/order.ts'
import { OrderPage } from '#src/features/order/OrderPage.tsx'
import { isNo } from '#src/routes/-params.ts'
import { forStudents } from '#src/routes/-guard.ts'

// Not by the contract's schema: this stands in the first file of the app.
const isMethod = (value: unknown): value is PayMethod => /^(sandbox|wechat|alipay)$/.test(String(value))

export const Route = createFileRoute('/_shell/order/order_detail/$id')({
  staticData: { title: '订单详情' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.id) && params, stringify: (params) => params },
  /** `pay`: its payment was begun so, a moment ago. */
  validateSearch: ({ pay }: Record<string, unknown>): { pay?: PayMethod } => (isMethod(pay) ? { pay } : {}),
  beforeLoad: forStudents,
  component: function OrderRoute() {
    const { id } = Route.useParams()
    const { pay = null } = Route.useSearch()
    const navigate = useNavigate()
    return (
      <OrderPage
        key={id}
        id={id}
        begun={pay}
        onOver={() => void navigate({ to: '.', search: {}, replace: true, resetScroll: false })}
        onLeave={() => void navigate({ to: '/user/my_order' })}
      />
    )
  },
})
