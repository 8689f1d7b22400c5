import { type ReactNode, type RefObject, useRef } from 'react'
import { useKeeping, useKept } from './entry.ts'
import { useGrowing } from './More.tsx'
import { isPlace, type Place, placeIn, useReturn } from './place.ts'

interface ReturningProps<T> {
  /** It names the list among all that the screen shows. */
  name: string
  rows: readonly T[]
  /** So many rows at first, and as many more at its end. */
  step: number
  before: Place | null
  /** The rows that were shown then are here. */
  ready: boolean
}
interface Returning<T> {
  /** The element that holds the rows takes it; each row has its key as `data-row`. */
  list: RefObject<HTMLDivElement | null>
  shown: readonly T[]
  /** The way to the rest; null when all are shown. */
  more: ReactNode
}

/** Tells whoever comes back to this list where it was left. */
export function usePlace(name: string): Place | null {
  const kept = useKept(name)
  return isPlace(kept) ? kept : null
}

/** A list that grows as its end is scrolled to. Who comes back to it finds it as long as it was, at the row that they left. */
export function useReturning<T>({ name, rows, step, before, ready }: ReturningProps<T>): Returning<T> {
  const list = useRef<HTMLDivElement>(null)
  const { shown, more } = useGrowing(rows, step, before?.rows)
  useKeeping(name, () => ({ rows: shown.length, ...placeIn(list.current) }))
  useReturn(list, before, ready)
  return { list, shown, more }
}
