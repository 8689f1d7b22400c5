import { createFileRoute, useNavigate, useRouter } from '@tanstack/react-router'
import { readProducts } from '#src/domain/products.ts'
import { PaymentPage } from '#src/features/order/PaymentPage.tsx'
import { forStudents } from '#src/routes/-guard.ts'
import { ShipTo } from './-shipTo.tsx'

export const Route = createFileRoute('/_shell/order/payment/$products')({
  staticData: { title: '确认订单' },
  // false: not this route, so the 404 page.
  params: {
    parse: (params) => readProducts(params.products) !== null && params,
    stringify: (params) => params,
  },
  beforeLoad: forStudents,
  component: function PaymentRoute() {
    const { products } = Route.useParams()
    const navigate = useNavigate()
    const { history } = useRouter()
    return (
      <PaymentPage
        key={products}
        products={readProducts(products) ?? []}
        ShipTo={ShipTo}
        onMade={(id, method) =>
          void navigate({
            to: '/order/order_detail/$id',
            params: { id },
            search: method === null ? {} : { pay: method },
            replace: true,
          })
        }
        onLeave={() => history.back()}
      />
    )
  },
})
