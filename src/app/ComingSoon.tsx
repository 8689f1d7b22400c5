import { Button } from '@mantine/core'
import { IconTools } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import classes from './Page.module.css'

/** An honest place-holder: what will be here, and what works already. */
export function ComingSoon({ title, about }: { title: string; about: string }) {
  return (
    <section className={classes.centre}>
      <IconTools size={44} stroke={1.4} aria-hidden="true" />
      <h1>{title}</h1>
      <p>即将开放。{about}</p>
      <Button component={Link} to="/question/library" size="md">
        先去题库练题
      </Button>
    </section>
  )
}
