import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { Coupon } from '#src/contract/coupon.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { buttonLook } from '#src/ui/Button.tsx'
import classes from './Coupon.module.css'
import { datesText, kindsText, listFor, offText, thresholdText } from './texts.ts'

/** One coupon as a ticket: what it takes off at the left, for what and until when beside it. */
export function CouponCard({ coupon }: { coupon: Coupon }) {
  const { title, off, kinds, state, order } = coupon
  const name = useId()
  const { figure, unit } = offText(off)
  return (
    <article className={classes.ticket} data-state={state} aria-labelledby={name}>
      <p className={classes.off}>
        <span>
          <b>{figure}</b>
          {unit}
        </span>
        <small>{thresholdText(coupon)}</small>
      </p>
      <div className={classes.terms}>
        <h2 id={name}>{title}</h2>
        <p>{kindsText(kinds)}</p>
        <p>{datesText(coupon, serverNow())}</p>
        <div className={classes.act}>
          {state === 'over' && <strong>已过期</strong>}
          {state === 'used' && <strong>已使用</strong>}
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
