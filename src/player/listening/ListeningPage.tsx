import { useEffect, useState } from 'react'
import type { PlayerHandle } from '../usePlayer.ts'
import { Listening } from './Listening.tsx'

/** 听题 over a batch: it begins with the question on the screen, and leaves at the one that was read last. */
export function ListeningPage({ player, onClose }: { player: PlayerHandle; onClose: () => void }) {
  const { state, dispatch } = player
  const [before] = useState(state)
  useEffect(() => {
    // Listening is no time spent on answering.
    if (before.mode === 'practice') dispatch({ type: 'mode', mode: 'recite' })
    return () => {
      if (before.mode === 'practice') dispatch({ type: 'mode', mode: 'practice' })
    }
  }, [before, dispatch])
  return (
    <Listening
      items={before.items}
      begin={before.at}
      onClose={(at) => {
        onClose()
        dispatch({ type: 'go', at })
      }}
    />
  )
}
