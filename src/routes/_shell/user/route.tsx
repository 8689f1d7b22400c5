import { createFileRoute, redirect } from '@tanstack/react-router'
import { UserLayout } from '#src/app/UserLayout.tsx'
import { loginGate } from '#src/session/loginGate.ts'
import { session } from '#src/session/session.ts'

/** The guard's words (spec §6). Where they do not come, over a broken network, the login itself is offered. */
const offer = (wanted: string): Promise<void> =>
  import('#src/app/offerLogin.ts').then(
    (m) => m.offerLogin(wanted),
    () => loginGate.askFor(wanted),
  )

export const Route = createFileRoute('/_shell/user')({
  beforeLoad: ({ location, preload }) => {
    // Whoever was logged in until the token expired still owns this device and may look at their own pages.
    if (session.loggedIn() || session.get().uid !== null) return
    // A link that is only pointed at asks for nothing.
    if (!preload) void offer(location.href)
    throw redirect({ to: '/', replace: true })
  },
  component: UserLayout,
})
