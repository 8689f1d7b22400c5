declare global {
  interface Window {
    /** Answers that index.html has asked for already (app/early.ts), by URL and form. */
    jkEarly?: Record<string, Promise<Response>>
  }
}

/** The answer to this request, if index.html has asked for it; each serves once. */
export function takeEarly(url: string, body: string, signal: AbortSignal | null | undefined): Promise<Response> | null {
  const waiting = typeof window === 'undefined' ? undefined : window.jkEarly
  const address = `${url}?${body}`
  const answer = waiting?.[address]
  // A call that was given up meanwhile leaves it to the next.
  if (!waiting || !answer || signal?.aborted) return null
  delete waiting[address]
  return new Promise((resolve, reject) => {
    answer.then(resolve, reject)
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
  })
}

/** Whether an answer of this endpoint is on its way since before the app was: only on a first visit, which has nothing kept. */
export const isEarly = (path: string): boolean =>
  typeof window !== 'undefined' && Object.keys(window.jkEarly ?? {}).some((each) => each.startsWith(`/pcapi/${path}?`))
