import { smsUntilKey } from '#src/device/keys.ts'
import { useEffect, useState } from 'react'
import { tabMemory } from '#src/device/stores.ts'

/** spec.md §9. */
const SECONDS = 60

/**
 * The 60 s between two codes. The deadline is stored, so a reload does not start it anew or forget it.
 * @param of which, where a screen asks for two
 */
export function useCountdown(of = ''): { seconds: number; start: () => void } {
  const [until, setUntil] = useState(() => Number(tabMemory.get(smsUntilKey(of))) || 0)
  const [now, setNow] = useState(() => Date.now())
  const seconds = Math.min(SECONDS, Math.max(0, Math.ceil((until - now) / 1000)))
  useEffect(() => {
    if (seconds === 0) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [seconds])
  const start = () => {
    const next = Date.now() + SECONDS * 1000
    tabMemory.set(smsUntilKey(of), String(next))
    setNow(Date.now())
    setUntil(next)
  }
  return { seconds, start }
}
