import { useEffect, useState } from 'react'
import { createExamClock } from './examClock.ts'
import { type ExamSitting, keepElapsed } from './sitting.ts'

const TICK_MS = 1_000
const KEEP_MS = 5_000

/** The clock of a sitting, each second, and kept on the device as it goes. @param keptMs as it was written last. */
export function useExamClock(sitting: ExamSitting, keptMs: number) {
  const { id } = sitting
  const [clock] = useState(() => createExamClock(sitting, keptMs))
  const [elapsedMs, setElapsedMs] = useState(clock.read)
  useEffect(() => {
    let kept = clock.read()
    const keep = () => {
      kept = clock.read()
      void keepElapsed(id, kept)
    }
    const tick = () => {
      setElapsedMs(clock.read())
      if (clock.read() - kept >= KEEP_MS) keep()
    }
    const follow = () => {
      if (document.visibilityState === 'hidden') return keep()
      clock.wake()
      tick()
    }
    const timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', follow)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', follow)
      keep()
    }
  }, [clock, id])
  return { elapsedMs, read: clock.read }
}
