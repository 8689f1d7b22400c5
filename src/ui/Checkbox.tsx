import type { InputHTMLAttributes, ReactNode } from 'react'
import classes from './Checkbox.module.css'

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'> {
  children: ReactNode
  /** A smaller line below. */
  hint?: string
}

/** A box to tick with its words beside it, as high as a thumb needs. */
export function Checkbox({ children, hint, ...input }: CheckboxProps) {
  return (
    <label className={classes.checkbox}>
      <input type="checkbox" {...input} />
      <span>
        {children}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </label>
  )
}
