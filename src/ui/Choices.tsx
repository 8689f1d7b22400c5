import { useId } from 'react'
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
    <fieldset className={classes.choices}>
      <legend>{title}</legend>
      {options.map(({ value, label, note }) => (
        <label key={value}>
          <input
            type={many ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.includes(value)}
            onChange={() => onPick(value)}
          />
          {label}
          {note !== undefined && <small>{note}</small>}
        </label>
      ))}
    </fieldset>
  )
}
