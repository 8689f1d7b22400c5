import { useEffect } from 'react'
import { Button } from '#src/ui/Button.tsx'
import classes from './Page.module.css'

/** Where a payment provider sends the student back to: closes itself, and says how to go on where it may not. */
export function AutoClose() {
  useEffect(() => window.close(), [])
  return (
    <main className={classes.centre}>
      <h1>操作已完成</h1>
      <p>请关闭此页面，回到原来的页面查看结果。</p>
      <Button onClick={() => window.close()}>关闭页面</Button>
    </main>
  )
}
