/** Resolves when a call is given up, at once when it has been already: an event that is over is not heard any more. */
export const aborted = (signal: AbortSignal | null | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve()
    else signal?.addEventListener('abort', () => resolve())
  })

/** What a call that nobody answers comes to when it is given up. */
export async function unanswered(
  signal: AbortSignal | null | undefined,
  error: Error = new DOMException('aborted', 'AbortError'),
): Promise<never> {
  await aborted(signal)
  throw error
}
