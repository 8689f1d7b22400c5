import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { buttonLook } from '#src/ui/Button.tsx'
import { Drawing } from '#src/ui/Empty.tsx'
import common from '#src/ui/common.module.css'
import card from '#src/ui/ErrorCard.module.css'
import classes from './Page.module.css'

export function NotFound() {
  return (
    <section className={card.card}>
      <Drawing of="lost" />
      <h1 className={clsx(common.heading, classes.title)}>抱歉，您访问的页面不存在。</h1>
      <Link to="/" {...buttonLook()}>
        回到首页
      </Link>
    </section>
  )
}
