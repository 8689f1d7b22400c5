import { IconChevronLeft } from '@tabler/icons-react'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import common from './common.module.css'
import classes from './BackButton.module.css'

interface BackButtonProps {
  /** Names the place that it leads to. */
  children: ReactNode
  onClick: () => void
}

/** Also for a link. */
export const backLook = clsx(common.inline, common.quiet, classes.back)

/** The way back to what a page belongs to, above its title. */
export function BackButton({ children, onClick }: BackButtonProps) {
  return (
    <button type="button" className={backLook} onClick={onClick}>
      <IconChevronLeft size={18} aria-hidden="true" />
      {children}
    </button>
  )
}
