import type { SelectHTMLAttributes } from 'react'
import classes from './Select.module.css'

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'> {
  /** Something else is chosen than what is there at first. */
  'data-chosen'?: boolean | undefined
}

/** The phone's own list to choose from. */
export const Select = (props: SelectProps) => <select className={classes.select} {...props} />
