import { observeCalls } from '#src/api/client.ts'
import { failureWords, isCallError } from '#src/api/errors.ts'
import { onGivenUp } from '#src/offline/storage.ts'
import { feedback } from '#src/ui/feedback.ts'

/**
 * What a student is told of a failed act of theirs. Only for acts that must have the network (login, saving an account): reads
 * show their own state, and what can wait is on the device, so an unreachable network is no dialog there.
 */
export function tellFailure(error: unknown): void {
  if (!isCallError(error)) reportError(error)
  void feedback.warn(failureWords(error))
}

/** Loading modal and success notices of calls that ask for them (spec.md §7), and what a full device has cost. */
export function showCalls(): () => void {
  const stops = [
    observeCalls({ loading: feedback.loading, success: feedback.toast }),
    onGivenUp((title) => feedback.toast(`本机空间不足，已移除课时“${title}”`)),
  ]
  return () => stops.forEach((stop) => stop())
}
