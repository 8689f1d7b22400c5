import { vi } from 'vitest'

/** Waits until `check` no longer throws: as long as every other wait of the tests, not the one second that is Vitest's own. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 15_000, interval: 5 })
