import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import common from './common.module.css'
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
  <svg
    className={classes.drawing}
    viewBox="0 0 160 120"
    width="136"
    height="102"
    strokeWidth="2.4"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <use href={`${sprite}#${of}`} />
  </svg>
)

interface EmptyProps {
  of: Drawn
  title?: string
  role?: 'status'
  /** Why, and what to do. */
  children?: ReactNode
}

/** What spec §8 has a list say that is empty, or has come to its end. */
export const NO_MORE = '暂无更多...'

/** What stands where a list is empty: the words of all lists, and below them its own. */
export const Empty = ({ of, title, role, children }: EmptyProps) => (
  <section className={clsx(common.stack, common.quiet, classes.empty)} role={role}>
    <Drawing of={of} />
    <p>{NO_MORE}</p>
    {title && <h2 className={clsx(common.subheading, classes.title)}>{title}</h2>}
    {children}
  </section>
)

interface LostProps {
  title: string
  role?: 'alert'
  children: ReactNode
}

/** What stands where something should be that cannot be shown. */
export const Lost = ({ title, role, children }: LostProps) => (
  <section className={clsx(common.stack, common.quiet, classes.empty)} role={role}>
    <Drawing of="lost" />
    <h2 className={clsx(common.subheading, classes.title)}>{title}</h2>
    {children}
  </section>
)
