import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { MyVipPage } from '#src/features/vip/MyVipPage.tsx'

export const Route = createFileRoute('/_shell/user/my_vip')({
  staticData: { title: '我的会员' },
  component: function MyVipRoute() {
    const navigate = useNavigate()
    return <MyVipPage onOpen={(no) => void navigate({ to: '/vip/vip_detail/$no', params: { no } })} />
  },
})
