import { clsx } from 'clsx'
import type { PayMethod } from '#src/contract/order.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { copy } from '#src/ui/feedback/copy.ts'
import classes from './Outside.module.css'
import { METHOD_NAMES } from './paying.ts'

/** How one gets out of WeChat to where this method works. What was chosen is done there, so the address of this page leads to it. */
export function Outside({ method }: { method: PayMethod }) {
  return (
    <section className={clsx(common.row, classes.outside)} aria-label="请在手机浏览器中打开再支付">
      <Picture />
      <div>
        <b className={common.warm}>请在手机浏览器中打开再支付</b>
        <p className={clsx(common.small, classes.why)}>微信里打不开{METHOD_NAMES[method]}的付款页面。</p>
        <ol className={classes.ways}>
          <li>点右上角的“…”</li>
          <li>选“在浏览器打开”</li>
          <li>登录后在同一页面继续支付</li>
        </ol>
        <Button small look="light" onClick={() => void copy(window.location.href, '链接')}>
          复制链接
        </Button>
      </div>
    </section>
  )
}

/** A phone, with what to tap at its upper right. */
const Picture = () => (
  <svg className={common.fixed} viewBox="0 0 72 120" width="72" height="120" fill="none" aria-hidden="true">
    <rect x="2" y="2" width="68" height="116" rx="10" stroke="var(--lj-edge)" strokeWidth="2" />
    <path d="M2 26H70" stroke="var(--lj-line)" strokeWidth="2" />
    <g fill="var(--lj-text)">
      <circle cx="48" cy="15" r="2" />
      <circle cx="55" cy="15" r="2" />
      <circle cx="62" cy="15" r="2" />
    </g>
    <circle cx="55" cy="15" r="12" stroke="var(--lj-warm)" strokeWidth="2.5" />
    <path d="M52 60 54 34M47 40l7-7 6 8" stroke="var(--lj-warm)" strokeWidth="2.5" strokeLinecap="round" />
    <rect x="12" y="68" width="48" height="8" rx="4" fill="var(--lj-line)" />
    <rect x="12" y="84" width="34" height="8" rx="4" fill="var(--lj-line)" />
  </svg>
)
