import { useCallback, useEffect, useState } from 'react'
import { onClock } from '#src/offline/device/serverClock.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { timeOf } from '#src/sitting/engine/time.ts'
import { dropEnded, type OpenSitting, readOpen, sealEnded, type Sittings } from './ended.ts'
import { examPolicy } from './policy.ts'

const isExam = (changed: string): boolean => changed === 'exam'
const NONE: Sittings = { open: [], ended: [] }

/** The sittings of this device, without the notices that were put away here. */
export function useOpenSittings(): Sittings & { putAway: (id: string) => void } {
  const { data } = useRecord(readOpen, isExam)
  const [away, setAway] = useState<readonly string[]>([])
  const putAway = useCallback((id: string) => {
    setAway((before) => [...before, id])
    void dropEnded(id)
  }, [])
  const { open, ended } = data ?? NONE
  return { open, ended: ended.filter(({ id }) => !away.includes(id)), putAway }
}

const TICK_MS = 1_000
/** Another tab may have it open, and the device may have been full. */
const AGAIN_MS = 10_000

/** Ms left of a sitting that is not on the screen. When there are none, it is handed in. */
export function useLeft(open: OpenSitting): number {
  const { sitting, paper, elapsedMs } = open
  const [time] = useState(() => timeOf(examPolicy, { sitting, paper, state: null, elapsedMs }))
  const { clock } = time
  // 练习 stands still while it is away.
  const read = useCallback(
    () => time.left(sitting.mode === 'practice' ? elapsedMs : clock.read()),
    [clock, time, sitting, elapsedMs],
  )
  const [leftMs, setLeftMs] = useState(read)
  useEffect(() => {
    const tell = () => setLeftMs(read())
    const follow = () => {
      clock.wake()
      tell()
    }
    const heard = () => {
      clock.reread()
      tell()
    }
    const timer = setInterval(tell, TICK_MS)
    document.addEventListener('visibilitychange', follow)
    const stop = onClock(heard)
    // Nobody has heard what the server said since this was rendered.
    heard()
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', follow)
      stop()
    }
  }, [clock, read])
  const over = leftMs <= 0
  useEffect(() => {
    if (!over) return
    const seal = () => void sealEnded(open).catch(() => {})
    seal()
    const timer = setInterval(seal, AGAIN_MS)
    return () => clearInterval(timer)
  }, [over, open])
  return leftMs
}
