import { useCallback } from 'react'
import type { PlayerHandle } from '#src/player/usePlayer.ts'
import type { SittingTime } from './engine/time.ts'

/**
 * Refuses answers once the time is over, if the end is binding: the hand-in may take a moment, or fail on a full device.
 */
export function useUntilOver(player: PlayerHandle, { isOver }: SittingTime, isBinding: boolean): PlayerHandle {
  const { dispatch: anyEvent, choose: anyChoice } = player
  const isShut = useCallback(() => isBinding && isOver(), [isBinding, isOver])
  const dispatch = useCallback<PlayerHandle['dispatch']>(
    (event) => {
      if (!('part' in event) || !isShut()) anyEvent(event)
    },
    [anyEvent, isShut],
  )
  const choose = useCallback<PlayerHandle['choose']>(
    (...choice) => {
      if (!isShut()) anyChoice(...choice)
    },
    [anyChoice, isShut],
  )
  return { ...player, dispatch, choose }
}
