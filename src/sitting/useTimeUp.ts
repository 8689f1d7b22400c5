import { useEffect } from 'react'
import { isSurelyOver, type SittingTime } from './engine/time.ts'

interface TimeUp {
  over: boolean
  time: SittingTime
  reread: () => void
  hand: () => void
}

/** At zero it is handed in. */
export function useTimeUp({ over, time, reread, hand }: TimeUp): void {
  useEffect(() => {
    if (!over) return
    let current = true
    void isSurelyOver(time, () => current && reread()).then((isOver) => current && isOver && hand())
    return () => {
      current = false
    }
  }, [over, time, reread, hand])
}
