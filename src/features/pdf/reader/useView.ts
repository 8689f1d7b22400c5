import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react'
import {
  clampScale,
  type Column,
  fitScale,
  GAP,
  type Layout,
  layOut,
  pageInView,
  pagesIn,
  placeOf,
  type Size,
  type Spot,
  spotAt,
} from './layout.ts'
import type { Place } from '#src/offline/downloads/documents/documentPlaces.ts'

interface Point {
  x: number
  y: number
}
export interface View {
  layout: Layout
  /** Of each page, at scale 1; of those not seen yet, the first one's. */
  sizes: readonly Size[]
  /** First and last page to be drawn, from 0. */
  range: readonly [number, number]
  /** The one that is read, from 0. */
  page: number
  /** It follows the window's width. */
  fits: boolean
  go: (spot: Spot) => void
  /** @param scale null: as wide as the window. @param at what of the window stays where it is, in px from its corner. */
  zoom: (scale: number | null, at?: Point) => void
  /** A page turned out to have another size than the first. */
  setSize: (page: number, size: Size) => void
}
const CORNER: Point = { x: 0, y: 0 }
/** A spot of the document, and where in the window it is to be, in px from its corner. */
interface Held {
  spot: Spot
  at: Point
  /** It lies as the fit lays it, whatever the spot says: nobody has scrolled sideways. */
  home: boolean
}

/**
 * What of a document is seen, and how large. The spot that a student looks at stays under their eyes, whatever changes around it:
 * the window, the scale, or a page above that is longer than was thought.
 */
export function useView(
  box: RefObject<HTMLElement | null>,
  {
    count,
    first,
    column,
    start,
    onPlace,
  }: { count: number; first: Size; column: Column | null; start: Place | null; onPlace: (place: Place) => void },
): View {
  const [sizes, setSizes] = useState<readonly Size[]>(() => Array.from({ length: count }, () => first))
  const [chosen, setChosen] = useState(start?.scale ?? null)
  const [held, setHeld] = useState<Held>(() => begin(start))
  const frame = useFrame(box)
  const fit = fitScale(sizes, frame.width, column)
  const scale = chosen ?? fit
  const layout = useMemo(() => layOut(sizes, scale, frame.width, column), [sizes, scale, frame.width, column])
  const corner = cornerOf(layout, held)

  const settle = useEffectEvent((now: Layout) => {
    const { x, y } = cornerOf(now, held)
    box.current?.scrollTo(x, y)
  })
  useLayoutEffect(() => settle(layout), [layout])

  const scrolled = useEffectEvent(({ scrollLeft, scrollTop, clientWidth }: HTMLElement) => {
    // The window has another size than the pages were laid out for, as before the first: it was not the student who scrolled.
    if (frame.height === 0 || frame.width !== clientWidth) return
    const spot = spotAt(layout, scrollLeft, scrollTop)
    setHeld({ spot, at: CORNER, home: chosen === null && Math.abs(scrollLeft - layout.home) < NEAR_PX })
    onPlace({ ...spot, scale: chosen })
  })
  useEffect(() => {
    const element = box.current
    const hear = () => element && scrolled(element)
    element?.addEventListener('scroll', hear, { passive: true })
    return () => element?.removeEventListener('scroll', hear)
  }, [box])

  return {
    layout,
    sizes,
    range: frame.height === 0 ? [0, -1] : pagesIn(layout, corner.y, frame.height),
    page: pageInView(layout, corner.y, frame.height),
    fits: chosen === null,
    // A little of what stands above it, so that it is seen where it begins.
    go: (spot) => box.current?.scrollTo({ top: placeOf(layout, spot).y - MARGIN }),
    zoom: (next, at = CORNER) => {
      const { scrollLeft = 0, scrollTop = 0 } = box.current ?? {}
      const spot = spotAt(layout, scrollLeft + at.x, scrollTop + at.y)
      setHeld({ spot, at, home: next === null })
      setChosen(next === null ? null : clampScale(next))
      // Nothing is laid out anew where the scale is the same.
      if (next === null && fit === scale) box.current?.scrollTo({ left: layout.home })
      onPlace({ ...spot, scale: next })
    },
    setSize: useCallback((page: number, size: Size) => setSizes((all) => withSize(all, page, size)), []),
  }
}

const MARGIN = 8
/** Browsers round where they scroll to. */
const NEAR_PX = 2
const begin = (start: Place | null): Held =>
  // From the very top: the margin over the first page, too.
  start
    ? { spot: { page: start.page, y: start.y, x: start.x ?? 0 }, at: CORNER, home: start.scale === null }
    : { spot: { page: 0, y: 0, x: 0 }, at: { x: 0, y: GAP }, home: true }

/** What of the whole stands in the window's corner. */
function cornerOf(layout: Layout, { spot, at, home }: Held): Point {
  const place = placeOf(layout, spot)
  return { x: home ? layout.home : Math.max(0, place.x - at.x), y: Math.max(0, place.y - at.y) }
}

const withSize = (all: readonly Size[], page: number, size: Size): readonly Size[] =>
  all[page]?.width === size.width && all[page].height === size.height
    ? all
    : all.map((each, i) => (i === page ? size : each))

/** The inside of a box, without its scroll bars; 0 until it is known. */
function useFrame(box: RefObject<HTMLElement | null>): Size {
  const [frame, setFrame] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setFrame({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [box])
  return frame
}
