import { createFileRoute, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { productsText, readProducts } from '#src/domain/money/products.ts'
import { CheckoutPage } from '#src/features/order/CheckoutPage.tsx'
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
    const canGoBack = useCanGoBack()
    const leave = () => (canGoBack ? history.back() : void navigate({ to: '/store/store_list' }))
    const wanted = readProducts(products) ?? []
    return (
      <CheckoutPage
        key={productsText(wanted.map((each) => ({ ...each, quantity: 1 })))}
        products={wanted}
        ShipTo={ShipTo}
        onMade={(id, method) =>
          void navigate({
            to: '/order/order_detail/$id',
            params: { id },
            search: method === null ? {} : { pay: method },
            replace: true,
          })
        }
        onProducts={(changed) =>
          void navigate({
            to: '/order/payment/$products',
            params: { products: productsText(changed) },
            replace: true,
            resetScroll: false,
          })
        }
        onLeave={leave}
      />
    )
  },
})
