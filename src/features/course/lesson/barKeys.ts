import type { KeyboardEvent } from 'react'
import { barStep } from './keys.ts'

/** For the bar of an element: arrows move it as far as they do elsewhere, also for who has the other keys switched off. */
export const barKeys =
  (element: HTMLMediaElement | null, onSeek: (to: number) => void) =>
  (event: KeyboardEvent): void => {
    const by = barStep(event.key)
    if (by === null || !element || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onSeek(element.currentTime + by)
  }
