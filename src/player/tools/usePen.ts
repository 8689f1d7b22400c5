import { type RefObject, useEffect, useRef } from 'react'
import type { Stroke } from '#src/offline/drafts/player.ts'
import { draws, extend, paint, visible, widthOf } from './strokes.ts'

/** More dots than the eye sees cost a slow phone its frames. */
const DENSITY_MAX = 2

/** Makes a canvas that fills the screen show these strokes and take new ones. What is under way is painted piece by piece. */
export function usePen(
  canvas: RefObject<HTMLCanvasElement | null>,
  kind: 'pen' | 'eraser',
  strokes: readonly Stroke[],
  onStroke: (stroke: Stroke) => void,
): void {
  const latest = useRef({ kind, strokes, onStroke })
  const redraw = useRef(() => {})
  useEffect(() => {
    latest.current = { kind, strokes, onStroke }
    redraw.current()
  })
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    const sheet = createSheet(element, context, () => latest.current.strokes)
    redraw.current = sheet.redraw
    sheet.redraw()
    const stopFingers = followPointers(element, sheet, latest)
    window.addEventListener('scroll', sheet.redraw)
    window.addEventListener('resize', sheet.redraw)
    const dark = new MutationObserver(sheet.redraw)
    dark.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    return () => {
      stopFingers()
      window.removeEventListener('scroll', sheet.redraw)
      window.removeEventListener('resize', sheet.redraw)
      dark.disconnect()
    }
  }, [canvas])
}

type Sheet = ReturnType<typeof createSheet>

function createSheet(element: HTMLCanvasElement, context: CanvasRenderingContext2D, strokes: () => readonly Stroke[]) {
  const place = () => ({ left: element.clientWidth / 2, top: -window.scrollY })
  return {
    redraw: (): void => {
      const density = Math.min(DENSITY_MAX, window.devicePixelRatio || 1)
      const { left, top } = place()
      element.width = Math.round(element.clientWidth * density)
      element.height = Math.round(element.clientHeight * density)
      context.setTransform(density, 0, 0, density, left * density, top * density)
      context.lineCap = 'round'
      context.lineJoin = 'round'
      context.strokeStyle = getComputedStyle(element).color
      for (const stroke of visible(strokes())) paint(context, stroke)
    },
    paint: (stroke: Stroke, from: number): void => paint(context, stroke, from),
    /** On the page, from a place on the screen. */
    at: ({ clientX, clientY }: PointerEvent): [number, number] => {
      const { left, top } = place()
      return [clientX - left, clientY - top]
    },
  }
}

interface Latest {
  kind: 'pen' | 'eraser'
  onStroke: (stroke: Stroke) => void
}

/** One finger, pen or mouse draws; a second finger gives up the stroke and moves the page, and so do fingers beside a pen. */
function followPointers(element: HTMLCanvasElement, sheet: Sheet, latest: RefObject<Latest>): () => void {
  let penSeen = false
  let drawing: { id: number; stroke: Stroke } | null = null
  const fingers = new Map<number, number>()
  const add = (event: PointerEvent) => {
    if (!drawing) return
    const { stroke } = drawing
    const from = stroke.points.length
    const [x, y] = sheet.at(event)
    if (extend(stroke.points, x, y, widthOf(stroke.kind, event))) sheet.paint(stroke, from)
  }
  const down = (event: PointerEvent) => {
    penSeen ||= event.pointerType === 'pen'
    if (event.pointerType === 'touch') fingers.set(event.pointerId, event.clientY)
    if (drawing && fingers.size > 1) {
      drawing = null
      sheet.redraw()
    }
    if (drawing || fingers.size > 1 || !draws(event, penSeen)) return
    element.setPointerCapture(event.pointerId)
    drawing = { id: event.pointerId, stroke: { kind: latest.current.kind, points: [] } }
    add(event)
  }
  const move = (event: PointerEvent) => {
    if (drawing?.id === event.pointerId) {
      // All that the hardware saw since the last frame, where the browser tells.
      const seen = event.getCoalescedEvents?.() ?? []
      for (const each of seen.length > 0 ? seen : [event]) add(each)
      return
    }
    const before = fingers.get(event.pointerId)
    if (before === undefined) return
    fingers.set(event.pointerId, event.clientY)
    window.scrollBy(0, (before - event.clientY) / fingers.size)
  }
  const up = (event: PointerEvent) => {
    fingers.delete(event.pointerId)
    if (drawing?.id !== event.pointerId) return
    const { stroke } = drawing
    drawing = null
    if (event.type === 'pointerup') latest.current.onStroke(stroke)
    else sheet.redraw()
  }
  const heard = [
    ['pointerdown', down],
    ['pointermove', move],
    ['pointerup', up],
    ['pointercancel', up],
  ] as const
  for (const [type, hear] of heard) element.addEventListener(type, hear)
  return () => {
    for (const [type, hear] of heard) element.removeEventListener(type, hear)
  }
}
