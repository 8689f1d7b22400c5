export interface Spent {
  /** Ms in which the student was at it. */
  ms: number
  /** Ms in which the page was shown, with or without anyone before it: a batch with a time limit goes by these. */
  shownMs: number
}

/**
 * Counts while the page is shown and nothing holds it. Time of being there ends `patienceMs` after the last touch, and goes on with
 * the next one: a question that lies open on a table is not being answered.
 */
export function createStopwatch(patienceMs: () => number, isShown: () => boolean) {
  let spent: Spent = { ms: 0, shownMs: 0 }
  let since: number | null = null
  let touched = 0
  let holds = 0
  const settle = (): void => {
    if (since === null) return
    const now = performance.now()
    const here = Math.min(now, touched + patienceMs())
    spent = { ms: spent.ms + Math.max(0, here - since), shownMs: spent.shownMs + now - since }
    since = now
  }
  /** To be called whenever the page is shown or hidden. */
  const follow = (): void => {
    settle()
    if (holds > 0 || !isShown()) since = null
    else since ??= touched = performance.now()
  }
  const release = (): void => {
    holds--
    follow()
  }
  return {
    follow,
    /** The student does something. */
    touch(): void {
      settle()
      touched = performance.now()
    },
    /** Returns what was spent since it was last called. */
    take(): Spent {
      follow()
      const taken = spent
      spent = { ms: 0, shownMs: 0 }
      return taken
    },
    /** It stands still until what comes back is called. */
    hold(): () => void {
      holds++
      follow()
      return release
    },
    isHeld: (): boolean => holds > 0,
    isRunning: (): boolean => since !== null && performance.now() <= touched + patienceMs(),
  }
}
export type Stopwatch = ReturnType<typeof createStopwatch>
