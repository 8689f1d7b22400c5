import { IconTools } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { buttonLook } from '#src/ui/Button.tsx'
import classes from './Page.module.css'

/** An honest place-holder: what will be here, and what works already. */
export function ComingSoon({ title, about }: { title: string; about: string }) {
  return (
    <section className={classes.centre}>
      <IconTools size={44} stroke={1.4} aria-hidden="true" />
      <h1>{title}</h1>
      <p>即将开放。{about}</p>
      <Link to="/question/library" {...buttonLook()}>
        先去题库练题
      </Link>
    </section>
  )
}
