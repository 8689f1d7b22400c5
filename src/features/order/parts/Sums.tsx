import type { OrderHead } from '#src/contract/order.ts'
import { moneyText } from '#src/sale/money.ts'
import classes from '../Order.module.css'

interface SumsProps {
  of: Pick<OrderHead, 'goods' | 'freight' | 'discount' | 'wallet' | 'due' | 'ships'>
  freightNote?: string
  /** Of what is due: 应付, 实付. */
  total: string
}

/** How the sum comes about, line by line. */
export function Sums({ of: { goods, freight, discount, wallet, due, ships }, freightNote, total }: SumsProps) {
  return (
    <dl className={classes.sums}>
      <Sum name="商品金额" fen={goods} />
      {ships && <Sum name="运费" fen={freight} {...(freightNote && { note: freightNote })} />}
      {discount > 0 && <Sum name="优惠券" fen={-discount} />}
      {wallet > 0 && <Sum name="钱包抵扣" fen={-wallet} />}
      <div data-total>
        <dt>{total}</dt>
        <dd>{moneyText(due)}</dd>
      </div>
    </dl>
  )
}

const Sum = ({ name, fen, note }: { name: string; fen: number; note?: string }) => (
  <div>
    <dt>
      {name}
      {note && <small>{note}</small>}
    </dt>
    <dd>{moneyText(fen)}</dd>
  </div>
)
