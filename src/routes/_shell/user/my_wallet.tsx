import { createFileRoute } from '@tanstack/react-router'
import { WalletPage } from '#src/features/wallet/WalletPage.tsx'

export const Route = createFileRoute('/_shell/user/my_wallet')({
  staticData: { title: '我的钱包' },
  component: WalletPage,
})
