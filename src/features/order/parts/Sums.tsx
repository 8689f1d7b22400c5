import { clsx } from 'clsx'
import type { OrderHead } from '#src/contract/order.ts'
import { moneyText } from '#src/sale/money.ts'
import common from '#src/ui/common.module.css'
import classes from '../Order.module.css'

interface SumsProps {
  of: Pick<OrderHead, 'goods' | 'freight' | 'discount' | 'wallet' | 'due' | 'ships'>
  /** Still due, paid, or ended without being paid. */
  as: 'due' | 'paid' | 'ended'
  freightNote?: string
  /** There is no address yet that freight could be reckoned for. */
  homeless?: boolean
}

/** How the sum comes about, line by line. */
export function Sums({ of: { goods, freight, discount, wallet, due, ships }, as, freightNote, homeless }: SumsProps) {
  const total = {
    due: [homeless ? '应付（不含运费）' : '应付', due],
    paid: ['实付', wallet + due],
    ended: ['订单金额', wallet + due],
  } as const
  const [name, sum] = total[as]
  return (
    <dl className={clsx(common.stack, common.figures, classes.sums)}>
      <Sum name="商品金额">{moneyText(goods)}</Sum>
      {ships && (
        <Sum name="运费" {...(freightNote && { note: freightNote })}>
          {homeless ? '待计算' : moneyText(freight)}
        </Sum>
      )}
      {discount > 0 && <Sum name="优惠券">{moneyText(-discount)}</Sum>}
      {as === 'due' && wallet > 0 && <Sum name="钱包抵扣">{moneyText(-wallet)}</Sum>}
      <div className={clsx(common.between, classes.sum, classes.total)}>
        <dt className={common.column}>
          <span className={common.strong}>{name}</span>
          {as === 'paid' && wallet > 0 && <small className={common.caption}>其中钱包支付 {moneyText(wallet)}</small>}
        </dt>
        <dd className={clsx(common.title, common.strong, as === 'ended' ? common.quiet : common.warm)}>
          {moneyText(sum)}
        </dd>
      </div>
    </dl>
  )
}

const Sum = ({ name, note, children }: { name: string; note?: string; children: string }) => (
  <div className={clsx(common.between, classes.sum)}>
    <dt className={clsx(common.column, common.quiet)}>
      {name}
      {note && <small className={common.caption}>{note}</small>}
    </dt>
    <dd className={classes.figure}>{children}</dd>
  </div>
)
