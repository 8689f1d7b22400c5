import { type PointerEvent, type RefObject, useEffect, useState } from 'react'

interface Row {
  top: number
  height: number
}
interface Drag {
  from: number
  to: number
  /** px that the finger has moved down the list since it took the row. */
  by: number
  /** The finger began here, in px below the list's top: the page may scroll under it. */
  startY: number
  rows: readonly Row[]
}

/**
 * Rows of a list that are dragged by a handle. While the finger is down, rows only look moved: a row that changed its place in the
 * document would lose the finger.
 * @param onMove gets the places that a row leaves and comes to, from 0
 */
export function useDragOrder(list: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const isDragging = drag !== null
  useEffect(() => {
    if (!isDragging) return
    const end = (): void => setDrag(null)
    const follow = ({ clientY }: globalThis.PointerEvent): void => {
      const box = list.current
      if (!box) return
      setDrag((old) => old && followed(old, clientY - topOf(box)))
    }
    window.addEventListener('pointermove', follow)
    window.addEventListener('pointercancel', end)
    return () => {
      window.removeEventListener('pointermove', follow)
      window.removeEventListener('pointercancel', end)
    }
  }, [isDragging, list])
  useEffect(() => {
    if (!drag) return
    const drop = (): void => {
      setDrag(null)
      if (drag.to !== drag.from) onMove(drag.from, drag.to)
    }
    window.addEventListener('pointerup', drop)
    // The row that is dragged stays in sight, so that a list longer than the screen can be walked through.
    list.current?.children[drag.from]?.scrollIntoView({ block: 'nearest' })
    return () => window.removeEventListener('pointerup', drop)
  }, [drag, list, onMove])
  const take = (from: number) => (event: PointerEvent) => {
    const box = list.current
    if (!box || event.button !== 0) return
    const top = topOf(box)
    const rows = [...box.children].map((row) => {
      const { top: at, height } = row.getBoundingClientRect()
      return { top: at - top, height }
    })
    setDrag({ from, to: from, by: 0, startY: event.clientY - top, rows })
  }
  return { take, dragged: drag?.from ?? null, shiftOf: (at: number) => (drag ? shiftOf(drag, at) : 0) }
}

const topOf = (box: HTMLElement): number => box.getBoundingClientRect().top

function followed(drag: Drag, y: number): Drag {
  const { rows, from, startY } = drag
  const row = rows[from]
  if (!row) return drag
  const by = y - startY
  const [top, bottom] = [row.top + by, row.top + by + row.height]
  // A row makes way when the dragged one covers its middle.
  const above = rows.slice(0, from).filter((each) => each.top + each.height / 2 < top).length
  const below = rows.slice(from + 1).filter((each) => each.top + each.height / 2 < bottom).length
  return { ...drag, by, to: by < 0 ? above : from + below }
}

/** Returns by how many px the row at this place looks moved. */
function shiftOf({ from, to, by, rows }: Drag, at: number): number {
  if (at === from) return by
  const [first, second] = rows
  const gap = first && second ? second.top - first.top - first.height : 0
  const step = (rows[from]?.height ?? 0) + gap
  if (at > from && at <= to) return -step
  return at < from && at >= to ? step : 0
}
