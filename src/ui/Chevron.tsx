import { IconChevronRight } from '@tabler/icons-react'
import { clsx } from 'clsx'
import common from './common.module.css'

/** Ends a row that leads on. */
export const Chevron = () => (
  <IconChevronRight size={18} className={clsx(common.fixed, common.quiet)} aria-hidden="true" />
)
