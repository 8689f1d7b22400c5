import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { watchGestures } from './gestures.ts'
import { clampScale, readingScale } from './layout.ts'
import type { View } from './useView.ts'

interface Zooms {
  /** Around the window's middle, as buttons and keys do. */
  to: (scale: number) => void
  /** Between the whole width and what is good to read. */
  toggle: () => void
}

/** Fingers and wheel on the pages. */
export function useGestures(box: RefObject<HTMLElement | null>, view: View): Zooms {
  const { layout } = view
  // Several fingers' moves come between two drawings: each goes on from the one before.
  const wanted = useRef(layout.scale)
  useEffect(() => {
    wanted.current = layout.scale
  }, [layout.scale])
  const onZoom = useEffectEvent((factor: number, at: { x: number; y: number }) => {
    wanted.current = clampScale(wanted.current * factor)
    view.zoom(wanted.current, at)
  })
  const toggle = (at: { x: number; y: number }) => view.zoom(view.fits ? readingScale(layout.scale) : null, at)
  const onDoubleTap = useEffectEvent(toggle)
  useEffect(() => (box.current ? watchGestures(box.current, { onZoom, onDoubleTap }) : undefined), [box])
  const middle = () => {
    const { clientWidth = 0, clientHeight = 0 } = box.current ?? {}
    return { x: clientWidth / 2, y: clientHeight / 2 }
  }
  return { to: (scale) => view.zoom(scale, middle()), toggle: () => toggle(middle()) }
}
