import { clsx } from 'clsx'
import classes from './ProgressLine.module.css'

interface ProgressLineProps {
  /** 0 … 1 */
  part: number
  label: string
  /** Where it lies. */
  className?: string | undefined
}

/** How far a download has come, as thin as an edge. */
export const ProgressLine = ({ part, label, className }: ProgressLineProps) => (
  <progress className={clsx(classes.line, className)} value={part} aria-label={label} />
)
