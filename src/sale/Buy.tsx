import { useId } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { priceText } from '#src/ui/Badges.tsx'
import classes from './Sale.module.css'

interface BuyProps {
  /** Of the sum. */
  label?: string
  /** Fen. */
  sum: number
  /** What the sum does not hold. */
  without?: string
  /** What can be had without paying. */
  also?: string
  /** Why this cannot be bought; left out: nothing can be, yet. */
  shut?: { label: string; why: string } | null
}
const SOON = { label: '购买即将开放', why: '下单和支付还在准备中，开放后就在这里购买。' }

/** The sum and the way to pay it. */
export function Buy({ label: name = '合计', sum, without, also, shut }: BuyProps) {
  const id = useId()
  const { label, why } = shut ?? SOON
  return (
    <div className={classes.buy}>
      <p className={classes.sum}>
        {name} <b>{priceText(sum)}</b>
        {without && <small>{without}</small>}
      </p>
      <Button disabled aria-describedby={id}>
        {label}
      </Button>
      <p id={id} className={classes.why}>
        {why}
        {also}
      </p>
    </div>
  )
}
