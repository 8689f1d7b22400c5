import type { QueryClient } from '@tanstack/react-query'
import { observeCalls } from '#src/api/client.ts'
import { failureWords, isCallError } from '#src/api/errors.ts'
import { onGivenUp } from '#src/offline/device/storage.ts'
import { session } from '#src/session/session.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'

const leaveEnded = async (client: QueryClient): Promise<void> =>
  (await import('#src/features/account/leaveEnded.ts')).leaveEnded(client)

/**
 * What a student is told of a failed act of theirs. Only for acts that must have the network (login, saving an account): reads
 * show their own state, and what can wait is on the device, so an unreachable network is no dialog there.
 */
export function tellFailure(error: unknown): void {
  if (!isCallError(error)) reportError(error)
  void feedback.warn(failureWords(error))
}

/**
 * Loading modal and success notices of calls that ask for them (spec.md §7), what a full device has cost, and the end of a login
 * that was ended elsewhere.
 */
export function showCalls(client: QueryClient): () => void {
  const ended = () => void leaveEnded(client).catch(session.logout)
  const stops = [
    observeCalls({ loading: feedback.loading, success: feedback.toast, ended }),
    onGivenUp((title) => feedback.toast(`存储空间不足，已移除课时“${title}”`)),
  ]
  return () => stops.forEach((stop) => stop())
}
