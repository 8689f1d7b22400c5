import { useLayoutEffect, useRef } from 'react'
import { focusIsNowhere } from '#src/ui/nowhere.ts'
import { type PlayerState, partState } from './playerState.ts'

/** As a ref: takes the focus when it appears, where what had it is gone. */
export const focusOn = (element: HTMLElement | null): void => element?.focus({ preventScroll: true })

/**
 * The focus goes where the next key press is useful, never lost with a control that is gone: to the heading of a question one
 * comes to, so that a screen reader starts anew there; and once its answer is marked, to 下一题. It goes in the same moment in
 * which the page changes: a key that is pressed between the two would be lost.
 */
export function useFocus(state: PlayerState) {
  const heading = useRef<HTMLHeadingElement>(null)
  const onward = useRef<HTMLButtonElement>(null)
  const part = state.items[state.at]?.part
  const open = part !== undefined && partState(state, part).right === null
  const seen = useRef<{ at: number; open: boolean } | null>(null)
  useLayoutEffect(() => {
    const before = seen.current
    seen.current = { at: state.at, open }
    if (before?.at === state.at) {
      if (before.open && !open) focusOn(onward.current)
    } else if (before || focusIsNowhere()) {
      focusOn(heading.current)
      if (before) window.scrollTo({ top: 0 })
    }
  }, [state.at, open])
  return { heading, onward }
}
