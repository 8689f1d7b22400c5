import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import common from '#src/ui/common.module.css'
import classes from '../Exams.module.css'

/** One line of what is told of an exam or of a sitting. */
export const Fact = ({ name, className, children }: { name: string; className?: string; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt className={clsx(common.fixed, common.quiet, classes.term)}>{name}</dt>
    <dd className={clsx(common.figures, className)}>{children}</dd>
  </div>
)
