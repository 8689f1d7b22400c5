import { createFileRoute } from '@tanstack/react-router'
import { ComingSoon } from '#src/app/ComingSoon.tsx'

export const Route = createFileRoute('/_shell/user/my_wallet')({
  staticData: { title: '我的钱包' },
  component: () => <ComingSoon title="我的钱包" about="余额与流水。" />,
})
