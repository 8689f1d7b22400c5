import { createFileRoute } from '@tanstack/react-router'
import { UserLayout } from '#src/app/mine/UserLayout.tsx'
import { forStudents } from '#src/routes/-guard.ts'

export const Route = createFileRoute('/_shell/user')({
  beforeLoad: forStudents,
  component: UserLayout,
})
