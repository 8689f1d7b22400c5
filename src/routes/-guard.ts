import { redirect } from '@tanstack/react-router'
import { offerLogin } from '#src/app/sync/offerLogin.ts'
import { session } from '#src/session/session.ts'

/** Before what is one's own: login-required guard (spec §6). */
export function forStudents({ location, preload }: { location: { href: string }; preload: boolean }): void {
  // Whoever was logged in until the token expired still owns this device and may look at their own pages.
  if (session.loggedIn() || session.get().uid !== null) return
  // A link that is only pointed at asks for nothing.
  if (!preload) void offerLogin(location.href)
  throw redirect({ to: '/', replace: true })
}
