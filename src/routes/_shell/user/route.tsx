import { createFileRoute, redirect } from '@tanstack/react-router'
import { UserLayout } from '#src/app/UserLayout.tsx'
import { session } from '#src/session/session.ts'
import { feedback } from '#src/ui/feedback.ts'

export const Route = createFileRoute('/_shell/user')({
  beforeLoad: () => {
    // Whoever was logged in until the token expired still owns this device and may look at their own pages.
    if (session.loggedIn() || session.get().uid !== null) return
    void feedback.warn('您还未登录哦，请登录后访问。', '提示信息')
    throw redirect({ to: '/', replace: true })
  },
  component: UserLayout,
})
