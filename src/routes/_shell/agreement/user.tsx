import { createFileRoute } from '@tanstack/react-router'
import { AgreementPage } from '#src/features/agreement/AgreementPage.tsx'
import { versionIn } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/agreement/user')({
  staticData: { title: '用户协议' },
  validateSearch: versionIn,
  component: function UserAgreementRoute() {
    const { version } = Route.useSearch()
    return <AgreementPage kind="user" version={version} />
  },
})
