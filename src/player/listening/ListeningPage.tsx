import { useCallback, useEffect, useState } from 'react'
import type { PlayerHandle } from '../usePlayer.ts'
import { Listening } from './Listening.tsx'

/** 听题 over a batch: it begins with the question on the screen, and the batch follows to the one that is read. */
export function ListeningPage({ player, onClose }: { player: PlayerHandle; onClose: () => void }) {
  const { state, dispatch, holdTime } = player
  const [before] = useState(state)
  // Listening is no time spent on answering.
  useEffect(() => holdTime(), [holdTime])
  // The draft has the place at once: an app that is killed in a pocket comes back to what was heard last.
  const follow = useCallback((at: number) => dispatch({ type: 'go', at }), [dispatch])
  return <Listening items={before.items} begin={before.at} onPlace={follow} onClose={onClose} />
}
