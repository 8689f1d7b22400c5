/** Nobody is told that a network or a server is back, so a page that somebody looks at asks: within five seconds. */
const SOON_MS = { least: 2_500, most: 4_000 }
/** Whoever looks at a page for longer is reading; and a server that is away for long has many pages that ask. */
const SELDOM_AFTER_MS = 5 * 60_000
const SELDOM_MS = { least: 10_000, most: 20_000 }
/** An answer that takes longer comes from a network on which nothing else would work. */
export const PROBE_LIMIT_MS = 4_000

export interface ProbeParts {
  /** One call, which by its answer alone says that the server is back. */
  ask: () => void
  /** Whether anybody looks, on a device that has a network at all. */
  isWanted: () => boolean
  /** ms, of a clock that is never set. */
  now: () => number
  /** 0 ≤ x < 1: pages that lost the server in one moment must not ask it in one moment. */
  random: () => number
}

/** Asks again and again from `start` to `stop`, whatever comes of the call before: one that hangs holds up nothing. */
export function createProbe({ ask, isWanted, now, random }: ProbeParts) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let since = 0
  const next = (): void => {
    const { least, most } = now() - since < SELDOM_AFTER_MS ? SOON_MS : SELDOM_MS
    timer = setTimeout(probe, least + (most - least) * random())
  }
  const probe = (): void => {
    if (isWanted()) ask()
    next()
  }
  const stop = (): void => clearTimeout(timer)
  return {
    /** Once more while it asks changes nothing: many calls fail while a server is away. */
    start: (): void => {
      if (timer !== undefined) return
      since = now()
      next()
    },
    /** Somebody has come back to the page: they do not wait, and it is soon again. */
    looked: (): void => {
      if (timer === undefined || !isWanted()) return
      stop()
      since = now()
      probe()
    },
    stop: (): void => {
      stop()
      timer = undefined
    },
  }
}
