import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { AccountPage } from '#src/features/account/AccountPage.tsx'
import { Portrait } from '#src/features/account/Portrait.tsx'
import { Reports } from '#src/features/inbox/Reports.tsx'
import { SecurityOpener } from '#src/features/login/SecurityOpener.tsx'
import { SecuritySection } from '#src/features/login/SecuritySection.tsx'
import { PlanSettings } from '#src/features/stats/PlanSettings.tsx'
import { deviceParts } from '../-device.tsx'

function Closing() {
  const client = useQueryClient()
  const leave = () =>
    void import('#src/features/account/leaveForGood.ts').then(({ leaveForGood }) => leaveForGood(client))
  return (
    <SecurityOpener look="quiet" tone="danger" opens="CloseAccount" onClosed={leave}>
      注销账号
    </SecurityOpener>
  )
}

export const Route = createFileRoute('/_shell/user/my_userinfo')({
  staticData: { title: '我的资料' },
  component: () => (
    <AccountPage
      portrait={<Portrait />}
      security={<SecuritySection />}
      plan={<PlanSettings />}
      {...deviceParts}
      reports={<Reports />}
      closing={<Closing />}
    />
  ),
})
