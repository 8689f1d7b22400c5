import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/user/my_address')({
  staticData: { title: '收货地址' },
  component: () => <ComingSoon title="收货地址" about="地址管理。" />,
})
