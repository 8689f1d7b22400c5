import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { backLook } from '#src/ui/BackButton.tsx'
import classes from './BackToHub.module.css'

/** Leads back to 我的 on a phone. */
export const BackToHub = () => (
  <Link to="/user" className={clsx(backLook, classes.back)}>
    <IconChevronLeft size={18} aria-hidden="true" />
    我的
  </Link>
)
