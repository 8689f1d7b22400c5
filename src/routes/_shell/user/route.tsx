import { createFileRoute, redirect } from '@tanstack/react-router'
import { UserLayout } from '#src/app/UserLayout.tsx'
import { loginGate } from '#src/session/loginGate.ts'
import { session } from '#src/session/session.ts'
import { feedback } from '#src/ui/feedback.ts'

/** The guard's words (spec §6), and the way on. */
async function offerLogin(): Promise<void> {
  const choice = await feedback.ask({
    title: '提示信息',
    message: '您还未登录哦，请登录后访问。',
    actions: [
      { key: 'ok', label: '知道了' },
      { key: 'login', label: '去登录', tone: 'primary' },
    ],
  })
  if (choice === 'login') loginGate.ask()
}

export const Route = createFileRoute('/_shell/user')({
  beforeLoad: () => {
    // Whoever was logged in until the token expired still owns this device and may look at their own pages.
    if (session.loggedIn() || session.get().uid !== null) return
    void offerLogin()
    throw redirect({ to: '/', replace: true })
  },
  component: UserLayout,
})
