import { useEffect, useRef, useState } from 'react'
import { NOT_HANDED_IN } from '#src/player/paper/handInOf.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'

interface HandInActs {
  write: () => Promise<void>
  /** It is on disk. */
  onHandedIn: () => void
  onFailed: () => void
}

/** Hands in once, however often it is asked to; `hand` is the same function throughout. */
export function useHandIn(acts: HandInActs): { busy: boolean; hand: () => void } {
  const [busy, setBusy] = useState(false)
  const now = useRef({ acts, busy: false })
  useEffect(() => {
    now.current.acts = acts
  })
  const setIsBusy = (isBusy: boolean) => {
    now.current.busy = isBusy
    setBusy(isBusy)
  }
  const run = async (): Promise<void> => {
    setIsBusy(true)
    try {
      await now.current.acts.write()
      now.current.acts.onHandedIn()
    } catch {
      now.current.acts.onFailed()
      void feedback.warn(NOT_HANDED_IN)
    } finally {
      setIsBusy(false)
    }
  }
  const [hand] = useState(() => () => void (now.current.busy || run()))
  return { busy, hand }
}
