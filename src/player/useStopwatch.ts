import { useEffect, useState } from 'react'
import { createStopwatch, type Stopwatch } from './stopwatch.ts'

/** A student who reads or answers does one of these; a recording that plays is being heard. */
const TOUCHES = [
  'pointerdown',
  'pointermove',
  'touchmove',
  'wheel',
  'scroll',
  'keydown',
  'input',
  'click',
  'focusin',
  'timeupdate',
]

/** Measures this page, from its first drawing on. @param patienceMs a student who touches nothing for longer is away. Stays the same. */
export function useStopwatch(patienceMs: () => number): Stopwatch {
  const [watch] = useState(() => createStopwatch(patienceMs, () => document.visibilityState !== 'hidden'))
  useEffect(() => {
    watch.follow()
    // Caught on their way down, because some of them do not bubble and others are stopped.
    const how = { capture: true, passive: true }
    for (const type of TOUCHES) window.addEventListener(type, watch.touch, how)
    document.addEventListener('visibilitychange', watch.follow)
    return () => {
      for (const type of TOUCHES) window.removeEventListener(type, watch.touch, how)
      document.removeEventListener('visibilitychange', watch.follow)
    }
  }, [watch])
  return watch
}
