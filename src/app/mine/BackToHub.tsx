import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { backLook } from '#src/ui/BackButton.tsx'
import classes from './BackToHub.module.css'

/** On a phone, from what 我的 leads to. */
export const BackToHub = () => (
  <Link to="/user" className={clsx(backLook, classes.back)}>
    <IconChevronLeft size={18} aria-hidden="true" />
    我的
  </Link>
)
