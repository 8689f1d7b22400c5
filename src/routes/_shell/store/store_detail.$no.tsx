import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { StoreDetailPage } from '#src/features/store/StoreDetailPage.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/store/store_detail/$no')({
  staticData: { title: '图书详情' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && params, stringify: (params) => params },
  component: function StoreDetailRoute() {
    const { no } = Route.useParams()
    const navigate = useNavigate()
    return <StoreDetailPage key={no} no={no} onLeave={() => void navigate({ to: '/store/store_list' })} />
  },
})
