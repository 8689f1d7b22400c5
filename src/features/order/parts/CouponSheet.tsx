import type { QuoteCoupon } from '#src/contract/order.ts'
import { moneyText } from '#src/sale/money.ts'
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

/** Every coupon of the student: what each takes off this order, or why it does not hold. */
export function CouponSheet({ coupons, chosen, onPick, onClose }: CouponSheetProps) {
  const pick = (id: string) => {
    onPick(id)
    onClose()
  }
  return (
    <Dialog title="选择优惠券" sheet onClose={onClose}>
      <ul className={classes.coupons}>
        {coupons.map(({ id, title, discount, until, why }) => (
          <li key={id}>
            <button type="button" disabled={why !== null} aria-pressed={id === chosen} onClick={() => pick(id)}>
              <strong>{title}</strong>
              <small>{why === null ? `有效期至 ${dateText(until - 1)}` : `不可用：${why}`}</small>
              {why === null && <b>{moneyText(-discount)}</b>}
            </button>
          </li>
        ))}
        <li>
          <button type="button" aria-pressed={chosen === ''} onClick={() => pick('')}>
            <strong>不使用优惠券</strong>
          </button>
        </li>
      </ul>
    </Dialog>
  )
}
