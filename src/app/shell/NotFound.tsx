import { Link } from '@tanstack/react-router'
import { buttonLook } from '#src/ui/Button.tsx'
import { Drawing } from '#src/ui/Empty.tsx'
import classes from './Page.module.css'

export function NotFound() {
  return (
    <section className={classes.centre}>
      <Drawing of="lost" />
      <h1>抱歉，您访问的页面不存在。</h1>
      <Link to="/" {...buttonLook()}>
        回到首页
      </Link>
    </section>
  )
}
