import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/user/my_vip')({
  staticData: { title: '我的会员' },
  component: () => <ComingSoon title="我的会员" about="会员权益与有效期。" />,
})
