import { useCallback, useEffect, useState } from 'react'
import { createSittingClock, type Timed } from './elapsed.ts'

const TICK_MS = 1_000
const KEEP_MS = 5_000

export interface ClockOptions {
  /** As it was kept last. */
  keptMs: number
  /** Writes down how far it has come; the same at every call. Null: the sitting has no clock. */
  keep: ((id: string, elapsedMs: number) => unknown) | null
  /** Epoch ms, by the clock that told when the sitting began; else the server's. */
  now?: () => number
}

/** The clock of a sitting, each second, and kept on the device as it goes. */
export function useClock({ id, ...timed }: Timed & { id: string }, { keptMs, keep, now }: ClockOptions) {
  const [clock] = useState(() => createSittingClock(timed, keptMs, now))
  const [elapsedMs, setElapsedMs] = useState(clock.read)
  useEffect(() => {
    if (!keep) return
    let kept = clock.read()
    const keepNow = () => {
      kept = clock.read()
      void keep(id, kept)
    }
    const tick = () => {
      setElapsedMs(clock.read())
      if (clock.read() - kept >= KEEP_MS) keepNow()
    }
    const follow = () => {
      if (document.visibilityState === 'hidden') return keepNow()
      clock.wake()
      tick()
    }
    const timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', follow)
    // The phone may have slept between the drawing and this.
    follow()
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', follow)
      keepNow()
    }
  }, [clock, id, keep])
  const reread = useCallback(() => {
    clock.reread()
    setElapsedMs(clock.read())
    // What was kept meanwhile is not to be gone on from.
    void keep?.(id, clock.read())
  }, [clock, id, keep])
  return { elapsedMs, read: clock.read, steady: clock.steady, reread }
}
