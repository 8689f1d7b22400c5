import { createFileRoute, redirect } from '@tanstack/react-router'
import { offerLogin } from '#src/app/offerLogin.ts'
import { UserLayout } from '#src/app/UserLayout.tsx'
import { session } from '#src/session/session.ts'

export const Route = createFileRoute('/_shell/user')({
  beforeLoad: ({ location, preload }) => {
    // Whoever was logged in until the token expired still owns this device and may look at their own pages.
    if (session.loggedIn() || session.get().uid !== null) return
    // A link that is only pointed at asks for nothing.
    if (!preload) void offerLogin(location.href)
    throw redirect({ to: '/', replace: true })
  },
  component: UserLayout,
})
