import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useEffect } from 'react'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import card from '#src/ui/ErrorCard.module.css'
import classes from './Page.module.css'

/** Where a payment provider sends the student back to: closes itself, and says how to go on where it may not. */
export function AutoClose() {
  useEffect(() => window.close(), [])
  return (
    <main className={card.card}>
      <h1 className={clsx(common.heading, classes.title)}>操作已完成</h1>
      <p className={classes.told}>请关闭此页面，回到原来的页面查看结果；支付结果以订单为准。</p>
      <Button onClick={() => window.close()}>关闭页面</Button>
      <Link {...buttonLook({ look: 'quiet' })} to="/user/my_order">
        查看我的订单
      </Link>
    </main>
  )
}
