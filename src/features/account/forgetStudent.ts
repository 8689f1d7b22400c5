import type { QueryClient } from '@tanstack/react-query'
import { forgetBoot } from '#src/offline/device/cache.ts'
import { dropMessages } from '#src/offline/device/messages.ts'
import { leaveView } from '#src/session/lastView.ts'
import { session } from '#src/session/session.ts'

/** The page shows nothing of the student any more, and the next one is a visitor's. */
export function forgetStudent(client: QueryClient): void {
  leaveView()
  // The server sends none to a session that has ended; this is for one that could not be told.
  void dropMessages().catch(() => {})
  client.clear()
  session.logout()
  forgetBoot()
}
