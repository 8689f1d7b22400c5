import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import common from '../common.module.css'
import classes from './Chips.module.css'

interface ChipsProps<T> {
  /** Names the group for screen readers. */
  label: string
  /** They are shown in this order. */
  options: readonly { value: T; label: ReactNode }[]
  chosen: T
  onPick: (value: T) => void
  /** In one line, which is swept along where it is longer than the screen, instead of all in sight. */
  inLine?: boolean
}

/** Chooses which part of a list is shown. */
export function Chips<T extends string | number | null | undefined>({
  label,
  options,
  chosen,
  onPick,
  inLine = false,
}: ChipsProps<T>) {
  return (
    <div className={clsx(common.wrap, classes.chips, inLine && classes.line)} role="group" aria-label={label}>
      {options.map(({ value, label: name }) => (
        <button
          key={String(value)}
          type="button"
          className={clsx(common.quiet, classes.chip)}
          aria-pressed={value === chosen}
          onClick={() => onPick(value)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
