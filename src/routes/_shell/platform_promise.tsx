import { createFileRoute } from '@tanstack/react-router'
import { PlatformPromise } from '#src/app/shell/PlatformPromise.tsx'

export const Route = createFileRoute('/_shell/platform_promise')({
  staticData: { title: '平台承诺' },
  component: PlatformPromise,
})
