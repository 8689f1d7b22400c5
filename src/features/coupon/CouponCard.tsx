import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useId } from 'react'
import type { Coupon } from '#src/contract/coupon.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import classes from './Coupon.module.css'
import { datesText, kindsText, listFor, offText, thresholdText } from './texts.ts'

const STATE = clsx(common.note, classes.state)

/** One coupon as a ticket: what it takes off at the left, for what and until when beside it. */
export function CouponCard({ coupon }: { coupon: Coupon }) {
  const { title, off, kinds, state, order } = coupon
  const name = useId()
  const { figure, unit } = offText(off)
  return (
    <article className={clsx(common.card, classes.ticket)} data-state={state} aria-labelledby={name}>
      <p className={clsx(common.column, classes.off)}>
        <span>
          <b className={clsx(common.figures, classes.figure)}>{figure}</b>
          {unit}
        </span>
        <small className={classes.threshold}>{thresholdText(coupon)}</small>
      </p>
      <div className={clsx(common.column, classes.terms)}>
        <h2 id={name} className={clsx(classes.name, state === 'over' && common.quiet)}>
          {title}
        </h2>
        <p className={common.caption}>{kindsText(kinds)}</p>
        <p className={clsx(common.caption, common.figures)}>{datesText(coupon, serverNow())}</p>
        <div className={clsx(common.row, classes.act)}>
          {state === 'over' && <strong className={STATE}>已过期</strong>}
          {state === 'used' && <strong className={STATE}>已使用</strong>}
          {state === 'used' && order !== null && (
            <Link {...buttonLook({ look: 'quiet', small: true })} to="/order/order_detail/$id" params={{ id: order }}>
              查看订单
            </Link>
          )}
          {state === 'usable' && (
            <Link {...buttonLook({ look: 'light', small: true })} to={listFor(kinds)}>
              去使用
            </Link>
          )}
        </div>
      </div>
    </article>
  )
}
