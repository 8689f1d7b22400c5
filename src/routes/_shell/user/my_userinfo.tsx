import { createFileRoute } from '@tanstack/react-router'
import { AccountPage } from '#src/features/account/AccountPage.tsx'
import { Reports } from '#src/features/correction/Reports.tsx'
import { ChangePassword } from '#src/features/login/ChangePassword.tsx'
import { PlanSettings } from '#src/features/stats/PlanSettings.tsx'
import { PackSettings } from '#src/features/question/PackSettings.tsx'

export const Route = createFileRoute('/_shell/user/my_userinfo')({
  staticData: { title: '我的资料' },
  component: () => (
    <AccountPage
      password={<ChangePassword />}
      plan={<PlanSettings />}
      storage={<PackSettings />}
      reports={<Reports />}
    />
  ),
})
