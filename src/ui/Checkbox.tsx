import { clsx } from 'clsx'
import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import common from './common.module.css'
import classes from './Checkbox.module.css'

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'id' | 'className'> {
  children: ReactNode
  /** A smaller line below. A screen reader says it after the name, not as a part of it. */
  hint?: string
}

/** A box to tick with its words beside it, as high as a thumb needs. */
export function Checkbox({ children, hint, ...input }: CheckboxProps) {
  const id = useId()
  const described = hint !== undefined && { 'aria-labelledby': `${id}n`, 'aria-describedby': `${id}h` }
  return (
    <label className={clsx(common.inline, classes.checkbox)}>
      <input type="checkbox" className={clsx(common.fixed, classes.box)} {...described} {...input} />
      <span>
        <span id={`${id}n`}>{children}</span>
        {hint !== undefined && (
          <small id={`${id}h`} className={clsx(common.quiet, classes.hint)}>
            {hint}
          </small>
        )}
      </span>
    </label>
  )
}
