import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/user/my_coupon')({
  staticData: { title: '我的优惠券' },
  component: () => <ComingSoon title="我的优惠券" about="可用、已用与过期的优惠券。" />,
})
