import type { ButtonHTMLAttributes } from 'react'
import classes from './IconButton.module.css'

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  'aria-label': string
}

/** A picture instead of words, as large as a thumb needs; its label says what it does. */
export function IconButton(props: IconButtonProps) {
  return <button type="button" className={classes.icon} {...props} />
}
