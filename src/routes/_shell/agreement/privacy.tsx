import { createFileRoute } from '@tanstack/react-router'
import { AgreementPage } from '#src/features/agreement/AgreementPage.tsx'
import { versionIn } from '#src/routes/-params.ts'

export const Route = createFileRoute('/_shell/agreement/privacy')({
  staticData: { title: '隐私政策' },
  validateSearch: versionIn,
  component: function PrivacyPolicyRoute() {
    const { version } = Route.useSearch()
    return <AgreementPage kind="privacy" version={version} />
  },
})
