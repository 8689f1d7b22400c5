import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import common from '#src/ui/common.module.css'
import classes from '../Exams.module.css'

/** Stands for a result that is not out yet, and says why. */
export const Pending = ({ state, children }: { state: string; children: ReactNode }) => (
  <p className={clsx(common.column, common.sunken, classes.pending)} role="status">
    <strong className={clsx(common.heading, common.accent)}>{state}</strong>
    <span>{children}</span>
  </p>
)
