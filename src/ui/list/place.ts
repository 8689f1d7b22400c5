import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Where a list was left: how many rows it had, and which of them stood how far from the top of the window, in CSS px. */
export interface Place {
  rows: number
  row?: string
  top?: number
}
export const isPlace = (kept: unknown): kept is Place =>
  typeof kept === 'object' && kept !== null && 'rows' in kept && typeof kept.rows === 'number'

/** The first row in sight. By the row, not by the scrolled distance: rows out of sight have only a guessed height. */
export function placeIn(list: HTMLElement | null): Pick<Place, 'row' | 'top'> {
  // At the top there is nothing to come back to.
  if (!list || window.scrollY === 0) return {}
  for (const row of list.querySelectorAll<HTMLElement>('[data-row]')) {
    const { top, bottom } = row.getBoundingClientRect()
    if (bottom > 0) return { row: row.dataset.row ?? '', top }
  }
  return {}
}

/** The rows around it get their heights as they come into sight, which takes a few frames. */
const FRAMES = 8
const BY_HAND = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

/** Scrolls back to the place once the rows are there, unless the student has begun to scroll by themselves. */
export function useReturn(list: RefObject<HTMLElement | null>, place: Place | null, ready: boolean): void {
  const done = useRef(false)
  useLayoutEffect(() => {
    const stop = () => {
      done.current = true
    }
    for (const event of BY_HAND) window.addEventListener(event, stop, { passive: true })
    return () => {
      for (const event of BY_HAND) window.removeEventListener(event, stop)
    }
  }, [])
  const row = place?.row
  const top = place?.top ?? 0
  useLayoutEffect(() => {
    if (!ready || !row) return
    let left = FRAMES
    let frame = 0
    const settle = () => {
      const found = list.current?.querySelector(`[data-row="${CSS.escape(row)}"]`)
      if (done.current || !found) return
      // The view of the last visit stands in its place (session/lastView.ts).
      if (found.closest('[hidden]')) {
        frame = requestAnimationFrame(settle)
        return
      }
      const by = found.getBoundingClientRect().top - top
      if (Math.abs(by) >= 1) window.scrollBy({ top: by, behavior: 'instant' })
      left -= 1
      if (left > 0) frame = requestAnimationFrame(settle)
      else done.current = true
    }
    // Behind the router, which scrolls to a distance.
    frame = requestAnimationFrame(settle)
    return () => cancelAnimationFrame(frame)
  }, [list, ready, row, top])
}
