import { createFileRoute } from '@tanstack/react-router'
import { CouponPage } from '#src/features/coupon/CouponPage.tsx'

export const Route = createFileRoute('/_shell/user/my_coupon')({
  staticData: { title: '我的优惠券' },
  component: CouponPage,
})
