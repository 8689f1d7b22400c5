import { useEffect, useEffectEvent, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { PlayerHandle } from '#src/player/usePlayer.ts'
import type { Marking } from './engine/policy.ts'
import type { SittingTime } from './engine/time.ts'

/** The player counts the time of a question when it is gone from; whoever stays at it has it counted by this. */
export const countTime = ({ state, dispatch }: PlayerHandle): void => dispatch({ type: 'go', at: state.at })

/**
 * Choices go up when their question is left, and when the page is: a phone that is locked may not come back in time. What the
 * last visit left unsent goes up at once. Under a policy that sends none this does nothing.
 */
export function useSendChoices<S>(
  { send }: Pick<Marking<never, S>, 'send'>,
  sitting: S,
  player: PlayerHandle,
  { isOver, taken }: SittingTime,
): void {
  const { state, dispatch } = player
  const count = useEffectEvent(() => {
    if (!isOver()) countTime(player)
  })
  const sendNow = useEffectEvent(() => {
    // They go with the hand-in once the time is over.
    if (!send || isOver()) return
    send(sitting, state, taken(state).chosenMs).then(
      (sent) => sent.forEach(dispatch),
      // They are in the draft, and go with the hand-in.
      () => {},
    )
  })
  const seen = useRef(-1)
  useEffect(() => {
    if (seen.current === state.at) return
    seen.current = state.at
    sendNow()
  }, [state.at])
  useEffect(() => {
    const gone = () => {
      flushSync(() => count())
      sendNow()
    }
    const left = () => document.visibilityState === 'hidden' && gone()
    document.addEventListener('visibilitychange', left)
    window.addEventListener('pagehide', gone)
    return () => {
      document.removeEventListener('visibilitychange', left)
      window.removeEventListener('pagehide', gone)
    }
  }, [])
}
