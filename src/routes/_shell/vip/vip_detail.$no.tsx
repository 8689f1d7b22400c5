import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { VipDetailPage } from '#src/features/vip/VipDetailPage.tsx'
import { isNo } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/vip/vip_detail/$no')({
  staticData: { title: '会员功能包' },
  // false: not this route, so the 404 page.
  params: { parse: (params) => isNo(params.no) && params, stringify: (params) => params },
  component: function VipDetailRoute() {
    const { no } = Route.useParams()
    const navigate = useNavigate()
    return (
      <VipDetailPage
        key={no}
        no={no}
        onOpen={(other) =>
          void navigate({ to: '/vip/vip_detail/$no', params: { no: other }, replace: true, resetScroll: false })
        }
        onLeave={() => void navigate({ to: '/' })}
      />
    )
  },
})
