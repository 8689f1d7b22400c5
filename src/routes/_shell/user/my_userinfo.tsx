import { useQueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import { AccountPage } from '#src/features/account/AccountPage.tsx'
import { Portrait } from '#src/features/account/Portrait.tsx'
import { Reports } from '#src/features/inbox/Reports.tsx'
import { SecurityOpener } from '#src/features/login/SecurityOpener.tsx'
import { SecuritySection } from '#src/features/login/SecuritySection.tsx'
import { PlanSettings } from '#src/features/stats/PlanSettings.tsx'
import { optional } from '#src/ui/optional.ts'
import { deviceParts } from '../-device.tsx'

const ConsentSection = optional(() =>
  import('#src/features/agreement/consent/ConsentSection.tsx').then((m) => m.ConsentSection),
)
/** The time of the reminder stays as it is. */
const turnPushOn = async (): Promise<void> => (await import('#src/features/stats/reminder.ts')).turnOn(async () => true)

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
      consents={
        <Suspense>
          <ConsentSection onPush={turnPushOn} />
        </Suspense>
      }
      plan={<PlanSettings />}
      {...deviceParts}
      reports={<Reports />}
      closing={<Closing />}
    />
  ),
})
