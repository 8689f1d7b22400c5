import { clsx } from 'clsx'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import common from '../common.module.css'
import classes from './Windowed.module.css'

/** CSS px of a row (Windowed.module.css), and rows that are kept on either side of those in sight. */
const ROW = 60
const AROUND = 8

interface WindowedProps<T> {
  label: string
  rows: readonly T[]
  keyOf: (row: T) => string
  children: (row: T) => ReactNode
}

/** A list of any length, of which only what is in sight is in the document. Whatever it stands in scrolls it. */
export function Windowed<T>({ label, rows, keyOf, children }: WindowedProps<T>) {
  const list = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(0)
  useEffect(() => {
    const look = () => setAt(Math.floor(-(list.current?.getBoundingClientRect().top ?? 0) / ROW))
    look()
    // Captured, because scrolling does not bubble.
    document.addEventListener('scroll', look, { capture: true, passive: true })
    return () => document.removeEventListener('scroll', look, { capture: true })
  }, [])
  const first = Math.max(0, Math.min(at, rows.length) - AROUND)
  const shown = rows.slice(first, first + Math.ceil(window.innerHeight / ROW) + 2 * AROUND)
  const after = rows.length - first - shown.length
  return (
    <ul
      ref={list}
      className={common.sunken}
      aria-label={label}
      style={{ paddingBlock: `${first * ROW}px ${after * ROW}px` }}
    >
      {shown.map((row, i) => (
        <li
          key={keyOf(row)}
          className={clsx(common.between, common.small, classes.row)}
          aria-setsize={rows.length}
          aria-posinset={first + i + 1}
        >
          {children(row)}
        </li>
      ))}
    </ul>
  )
}
