import { clsx } from 'clsx'
import type { OrderDetail } from '#src/contract/order.ts'
import common from '#src/ui/common.module.css'
import listing from '#src/ui/list/Listing.module.css'
import unseen from '#src/ui/text/Unseen.module.css'
import { stateText } from '../texts.ts'
import classes from '../Order.module.css'

/** What becomes of the order from here, in words. */
const NEXT: Record<OrderDetail['state'], string> = {
  pending: '请在期限内支付，超时自动取消',
  paid: '已付款，等待发货',
  shipped: '已发出，收到后请确认收货；10 天后自动确认',
  completed: '交易完成',
  cancelled: '订单已取消，没有扣款',
  refunding: '退款处理中',
  refunded: '款项已原路退回',
}

/** 状态: the way of this order, and where it is on it. */
export function Steps({ order }: { order: OrderDetail }) {
  const { state, ships, paidAt, shippedAt, completedAt, createdAt } = order
  const steps: [string, boolean][] = [
    ['下单', createdAt > 0],
    ['支付', paidAt !== null],
    ...(ships ? ([['发货', shippedAt !== null]] satisfies [string, boolean][]) : []),
    ['完成', completedAt !== null],
  ]
  const stopped = state === 'cancelled' || state === 'refunding' || state === 'refunded'
  return (
    <div className={common.column}>
      <h1 className={clsx(listing.pageTitle, classes.title)}>{stateText(order)}</h1>
      <p className={common.quiet}>{NEXT[state]}</p>
      {!stopped && (
        <ol className={classes.steps}>
          {steps.map(([name, done]) => (
            <li key={name} className={clsx(common.column, common.note, classes.step)} data-done={done || undefined}>
              {name}
              <span className={unseen.unseen}>{done ? '，已完成' : '，未完成'}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
