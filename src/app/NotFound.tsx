import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import classes from './Page.module.css'

export function NotFound() {
  return (
    <section className={classes.centre}>
      <IconMapOff size={44} stroke={1.4} aria-hidden="true" />
      <h1>抱歉，您访问的页面不存在。</h1>
      <Button component={Link} to="/" size="md">
        回到首页
      </Button>
    </section>
  )
}
