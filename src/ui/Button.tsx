import { clsx } from 'clsx'
import type { ButtonHTMLAttributes, Ref } from 'react'
import common from './common.module.css'
import classes from './Button.module.css'

export interface ButtonLook {
  tone?: 'primary' | 'danger' | 'plain'
  /** filled: the one thing to do here; light: another; quiet: a way out. */
  look?: 'filled' | 'light' | 'quiet'
  small?: boolean
}

/** The look of a button for what is not one: a link, a label. */
export const buttonLook = ({ tone = 'primary', look = 'filled', small = false }: ButtonLook = {}) => ({
  className: clsx(common.inline, common.strong, common.link, classes.button),
  'data-tone': tone,
  'data-look': look,
  'data-small': small || undefined,
})

interface ButtonProps extends ButtonLook, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Under way: shown, and not to be pressed again. */
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
}

export const Spinner = () => <span className={classes.spinner} aria-hidden="true" />

export function Button({ tone, look, small, busy = false, className, children, ...rest }: ButtonProps) {
  const own = buttonLook({ ...(tone && { tone }), ...(look && { look }), ...(small && { small }) })
  return (
    <button
      type="button"
      {...own}
      {...rest}
      className={clsx(own.className, className)}
      disabled={busy || rest.disabled}
      aria-busy={busy || undefined}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
