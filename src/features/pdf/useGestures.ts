import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { watchGestures } from './gestures.ts'
import { clampScale } from './layout.ts'
import type { View } from './useView.ts'

const DOUBLE_TAP = 2

/** Fingers and wheel on the pages. @returns zooms to a scale around the window's middle, as buttons and keys do. */
export function useGestures(box: RefObject<HTMLElement | null>, view: View): (scale: number) => void {
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
  const onDoubleTap = useEffectEvent((at: { x: number; y: number }) =>
    view.zoom(view.fits ? layout.scale * DOUBLE_TAP : null, at),
  )
  useEffect(() => (box.current ? watchGestures(box.current, { onZoom, onDoubleTap }) : undefined), [box])
  return (scale) => {
    const { clientWidth = 0, clientHeight = 0 } = box.current ?? {}
    view.zoom(scale, { x: clientWidth / 2, y: clientHeight / 2 })
  }
}
