import { useCallback, useEffect, useState } from 'react'
import { offline } from '#src/offline/index.ts'
import type { BaseSitting, OpenedSitting, Policy, SatPaper } from './engine/policy.ts'
import { type SittingTime, timeOf } from './engine/time.ts'

const TICK_MS = 1_000
const KEEP_MS = 5_000

interface RunningClock {
  /** Infinite without a clock. */
  leftMs: number
  time: SittingTime
  /** The server's clock was heard just now. */
  reread: () => void
}

/** The clock of a sitting, each second, and kept on the device as it goes. @param mayTime false: it has none, whatever its paper says. */
export function useClock<P extends SatPaper, S extends BaseSitting>(
  policy: Policy<P, S>,
  opened: OpenedSitting<P, S>,
  mayTime: boolean,
): RunningClock {
  const isTimed = mayTime && policy.clock !== null && opened.paper.minutes !== null
  const [time] = useState(() => timeOf(policy, isTimed ? opened : { ...opened, paper: { minutes: null } }))
  const { clock } = time
  const [elapsedMs, setElapsedMs] = useState(clock.read)
  const key = policy.drafts.clock.key(opened.sitting.id)
  const keep = useCallback(
    (elapsedMs: number) => void offline.saveDraft({ key, value: { elapsedMs } }).catch(() => {}),
    [key],
  )
  useEffect(() => {
    if (!isTimed) return
    let kept = clock.read()
    const keepNow = () => {
      kept = clock.read()
      keep(kept)
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
  }, [clock, isTimed, keep])
  const reread = useCallback(() => {
    clock.reread()
    setElapsedMs(clock.read())
    // What was kept meanwhile is not to be gone on from.
    keep(clock.read())
  }, [clock, keep])
  return { leftMs: time.left(elapsedMs), time, reread }
}
