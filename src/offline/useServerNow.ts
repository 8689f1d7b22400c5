import { useEffect, useState } from 'react'
import { onClock, serverNow } from './device/serverClock.ts'

/** Now by the server's clock, epoch ms, anew every so many ms. */
export function useServerNow(everyMs: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const tell = () => setNow(serverNow())
    tell()
    const timer = setInterval(tell, everyMs)
    const stop = onClock(tell)
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [everyMs])
  return now
}
