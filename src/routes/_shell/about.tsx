import { createFileRoute } from '@tanstack/react-router'
import { About } from '#src/app/shell/About.tsx'

export const Route = createFileRoute('/_shell/about')({
  staticData: { title: '关于我们' },
  component: About,
})
