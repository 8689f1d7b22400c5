import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { notHandedIn } from '#src/player/paper/handInOf.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import type { BaseSitting, HandingIn, Policy, SatPaper } from './engine/policy.ts'
import { handIn } from './engine/sitting.ts'
import type { SittingTime } from './engine/time.ts'

interface HandInProps<P extends SatPaper, S extends BaseSitting> extends Omit<HandingIn<P, S>, 'taken'> {
  policy: Policy<P, S>
  time: SittingTime
  /** Counts the time of the question that is on the screen, which nobody has left. */
  countTime: () => void
  /** It is on disk, by this tab or another one. */
  onHandedIn: () => void
  onFailed: () => void
}

/** Hands in once, however often it is asked to; `hand` is the same function throughout. */
export function useHandIn<P extends SatPaper, S extends BaseSitting>(
  props: HandInProps<P, S>,
): { busy: boolean; hand: () => void } {
  const [busy, setBusy] = useState(false)
  const now = useRef({ props, busy: false })
  useEffect(() => {
    now.current.props = props
  })
  const [run] = useState(() => async (): Promise<void> => {
    if (now.current.busy) return
    now.current.busy = true
    setBusy(true)
    // It may be called within an effect, where nothing can be drawn at once. Over, the answers stand as they were kept.
    await Promise.resolve()
    if (!now.current.props.time.isOver()) flushSync(now.current.props.countTime)
    const { policy, paper, sitting, state, time } = now.current.props
    try {
      await handIn(policy, { paper, sitting, state, taken: time.taken(state) })
      now.current.props.onHandedIn()
    } catch (error) {
      now.current.props.onFailed()
      void feedback.warn(notHandedIn(error))
    } finally {
      now.current.busy = false
      setBusy(false)
    }
  })
  return { busy, hand: useCallback(() => void run(), [run]) }
}
