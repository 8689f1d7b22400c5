import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import common from '#src/ui/common.module.css'
import classes from '../Exams.module.css'

/** What is not out yet, and why. */
export const Pending = ({ state, children }: { state: string; children: ReactNode }) => (
  <p className={clsx(common.column, common.sunken, classes.pending)} role="status">
    <strong className={clsx(common.heading, common.accent)}>{state}</strong>
    <span>{children}</span>
  </p>
)
