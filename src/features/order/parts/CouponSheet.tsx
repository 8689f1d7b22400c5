import { clsx } from 'clsx'
import type { QuoteCoupon } from '#src/contract/order.ts'
import { moneyText } from '#src/sale/money.ts'
import common from '#src/ui/common.module.css'
import { dateText } from '#src/ui/dates.ts'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import classes from '../Order.module.css'

interface CouponSheetProps {
  coupons: readonly QuoteCoupon[]
  chosen: string
  /** '': none. */
  onPick: (id: string) => void
  onClose: () => void
}

const COUPON = clsx(common.card, common.row, classes.coupon)

/** Every coupon of the student: what each takes off this order, or why it does not hold. */
export function CouponSheet({ coupons, chosen, onPick, onClose }: CouponSheetProps) {
  const pick = (id: string) => {
    onPick(id)
    onClose()
  }
  return (
    <Dialog title="选择优惠券" sheet onClose={onClose}>
      <ul className={common.stack}>
        {coupons.map(({ id, title, discount, until, why }) => (
          <li key={id}>
            <button
              type="button"
              className={COUPON}
              disabled={why !== null}
              aria-pressed={id === chosen}
              onClick={() => pick(id)}
            >
              <span className={clsx(common.column, common.grow)}>
                <strong>{title}</strong>
                <small className={common.caption}>
                  {why === null ? `有效期至 ${dateText(until - 1)}` : `不可用：${why}`}
                </small>
              </span>
              {why === null && <b className={common.warm}>{moneyText(-discount)}</b>}
            </button>
          </li>
        ))}
        <li>
          <button type="button" className={COUPON} aria-pressed={chosen === ''} onClick={() => pick('')}>
            <strong>不使用优惠券</strong>
          </button>
        </li>
      </ul>
    </Dialog>
  )
}
