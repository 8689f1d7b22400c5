import { clsx } from 'clsx'
import { useId } from 'react'
import common from './common.module.css'
import classes from './Choices.module.css'

interface ChoicesProps<T extends string | number> {
  title: string
  /** In the order shown. */
  options: readonly { value: T; label: string; note?: string | undefined }[]
  chosen: readonly T[]
  onPick: (value: T) => void
  /** More than one at a time. */
  many?: boolean
}

/** A few things to choose from, all in sight. */
export function Choices<T extends string | number>({ title, options, chosen, onPick, many }: ChoicesProps<T>) {
  const name = useId()
  return (
    <fieldset className={clsx(common.wrap, classes.choices)}>
      <legend className={clsx(common.strong, classes.title)}>{title}</legend>
      {options.map(({ value, label, note }) => (
        <label key={value} className={clsx(common.row, common.choice, classes.choice)}>
          <input
            className={common.cover}
            type={many ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.includes(value)}
            onChange={() => onPick(value)}
          />
          {label}
          {note !== undefined && <small className={clsx(common.quiet, common.figures, classes.note)}>{note}</small>}
        </label>
      ))}
    </fieldset>
  )
}
