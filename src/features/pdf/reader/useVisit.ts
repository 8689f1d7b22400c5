import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'

/** What opens over the pages takes the focus, and gives it back when it closes, unless that has gone elsewhere meanwhile. */
export function useVisit(box: RefObject<HTMLElement | null>, first: (box: HTMLElement) => HTMLElement | null): void {
  const begin = useEffectEvent(first)
  useLayoutEffect(() => {
    const before = document.activeElement
    const own = box.current
    if (own) begin(own)?.focus({ preventScroll: true })
    return () => {
      if (own?.contains(document.activeElement) && before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [box])
}
