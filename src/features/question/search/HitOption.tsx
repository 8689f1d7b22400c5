import { clsx } from 'clsx'
import { type ReactNode, useEffect, useRef } from 'react'
import common from '#src/ui/common.module.css'
import classes from './SearchHit.module.css'

export interface HitOptionProps {
  id: string
  /** The arrow keys stand here; the focus stays in the field. */
  active: boolean
  onOpen: () => void
  children: ReactNode
}

/** One of the results of 搜题, of whatever kind: it is kept in sight while the keys stand on it. */
export function HitOption({ id, active, onOpen, children }: HitOptionProps) {
  const ref = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (active) ref.current?.scrollIntoView?.({ block: 'nearest' })
  }, [active])
  return (
    // Keys are the field's (SearchDialog).
    <button
      type="button"
      ref={ref}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className={clsx(common.stack, common.note, classes.hit)}
      onClick={onOpen}
    >
      {children}
    </button>
  )
}
