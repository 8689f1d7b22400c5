import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { buttonLook } from '#src/ui/Button.tsx'
import classes from './Page.module.css'

export function NotFound() {
  return (
    <section className={classes.centre}>
      <IconMapOff size={44} stroke={1.4} aria-hidden="true" />
      <h1>抱歉，您访问的页面不存在。</h1>
      <Link to="/" {...buttonLook()}>
        回到首页
      </Link>
    </section>
  )
}
