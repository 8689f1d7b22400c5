import type { Walk } from '#server/study/jobs.ts'

/** A walk that nothing stops, and whose faults are the test's. */
export const walk = (now: number, over: Partial<Walk> = {}): Walk => ({
  now,
  stop: new AbortController().signal,
  failed: (error) => {
    throw error
  },
  ...over,
})
