import { clsx } from 'clsx'
import type { ButtonHTMLAttributes } from 'react'
import common from './common.module.css'
import classes from './IconButton.module.css'

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  'aria-label': string
}

/** A picture instead of words, as large as a thumb needs; its label says what it does. */
export function IconButton({ className, ...rest }: IconButtonProps) {
  return <button type="button" className={clsx(common.fixed, common.quiet, classes.icon, className)} {...rest} />
}
