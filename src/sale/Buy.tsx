import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type ComponentType, type MouseEvent, type ReactNode, useId } from 'react'
import type { Product } from '#src/contract/order.ts'
import { productsText } from '#src/domain/money/products.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import { session } from '#src/session/session.ts'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { priceText } from '#src/ui/list/Badges.tsx'
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
  product: Product
  /** In which sum and button stand, where the page is there for them. */
  Frame?: ComponentType<{ children: ReactNode }>
  /** Why this cannot be bought. */
  shut?: { label: string; why: string } | null
}

/** A visitor logs in over this very page, and goes on from there. */
function askFirst(event: MouseEvent<HTMLAnchorElement>): void {
  if (session.loggedIn() || session.get().uid !== null) return
  event.preventDefault()
  loginRequest.askFor(event.currentTarget.pathname)
}

/** The sum and the way to pay it. Whoever is not logged in is asked at its door, and comes back to it. */
export function Buy({ label: name = '合计', sum, without, also, product, Frame, shut }: BuyProps) {
  const id = useId()
  const act = (
    <>
      <p className={clsx(common.wrap, common.figures, classes.sum)}>
        {name} <b className={clsx(common.title, common.warm)}>{priceText(sum)}</b>
        {!Frame && without && <small className={common.caption}>{without}</small>}
      </p>
      {shut ? (
        <Button disabled aria-describedby={id}>
          {shut.label}
        </Button>
      ) : (
        <Link
          {...buttonLook()}
          to="/order/payment/$products"
          params={{ products: productsText([product]) }}
          onClick={askFirst}
        >
          立即购买
        </Link>
      )}
    </>
  )
  return (
    <div className={clsx(common.stack, common.card, classes.buy)}>
      {Frame ? <Frame>{act}</Frame> : act}
      {Frame && without && <p className={common.caption}>{without}</p>}
      {(shut || also) && (
        <p id={id} className={common.caption}>
          {shut?.why}
          {also}
        </p>
      )}
    </div>
  )
}
