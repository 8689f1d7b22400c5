import { useCallback, useEffect, useRef } from 'react'

/** Ms since it was last taken, not counting while the page is hidden. */
export function useStopwatch(): () => number {
  const spent = useRef(0)
  const since = useRef<number | null>(null)
  const stop = useCallback(() => {
    if (since.current !== null) spent.current += performance.now() - since.current
    since.current = null
  }, [])
  useEffect(() => {
    const follow = () => {
      if (document.visibilityState === 'hidden') stop()
      else since.current ??= performance.now()
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => document.removeEventListener('visibilitychange', follow)
  }, [stop])
  return useCallback(() => {
    stop()
    const ms = spent.current
    spent.current = 0
    if (document.visibilityState !== 'hidden') since.current = performance.now()
    return ms
  }, [stop])
}
