import type { ReactNode } from 'react'
import sprite from './drawings.svg?no-inline'
import classes from './Empty.module.css'

type Drawn =
  | 'away'
  | 'chart'
  | 'coupon'
  | 'course'
  | 'lost'
  | 'medal'
  | 'note'
  | 'paper'
  | 'parcel'
  | 'place'
  | 'star'
  | 'wallet'

/** Our own, in the colours of the theme; told in words beside it. */
export const Drawing = ({ of }: { of: Drawn }) => (
  <svg className={classes.drawing} viewBox="0 0 160 120" aria-hidden="true">
    <use href={`${sprite}#${of}`} />
  </svg>
)

interface EmptyProps {
  of: Drawn
  title?: string
  role?: 'status' | 'alert'
  /** Why, and what to do. */
  children: ReactNode
}

/** What stands where there is nothing to show. */
export const Empty = ({ of, title, role, children }: EmptyProps) => (
  <section className={classes.empty} role={role}>
    <Drawing of={of} />
    {title && <h2>{title}</h2>}
    {children}
  </section>
)
