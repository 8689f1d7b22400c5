import type { ReactNode } from 'react'
import classes from './Chips.module.css'

interface ChipsProps<T> {
  /** Names the group for screen readers. */
  label: string
  /** In the order shown. */
  options: readonly { value: T; label: ReactNode }[]
  chosen: T
  onPick: (value: T) => void
}

/** Which part of a list is shown: one of a few, all in sight. */
export function Chips<T extends string | number | null | undefined>({ label, options, chosen, onPick }: ChipsProps<T>) {
  return (
    <div className={classes.chips} role="group" aria-label={label}>
      {options.map(({ value, label: name }) => (
        <button key={String(value)} type="button" aria-pressed={value === chosen} onClick={() => onPick(value)}>
          {name}
        </button>
      ))}
    </div>
  )
}
