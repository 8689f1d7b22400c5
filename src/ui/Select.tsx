import type { SelectHTMLAttributes } from 'react'
import classes from './Select.module.css'

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'> {
  /** Set when the choice differs from what is there at first. */
  'data-chosen'?: true | undefined
}

/** The phone's own list to choose from. */
export const Select = (props: SelectProps) => <select className={classes.select} {...props} />
