import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Listing.module.css'

/** @param price fen; 0 is free. */
export const priceText = (price: number): string => (price === 0 ? '免费' : `¥${(price / 100).toFixed(2)}`)

interface BadgesProps {
  kind: string
  /** What is sold, and whether it is this student's. */
  of: { price: number; vip: boolean; open: boolean; byVip: boolean; withdrawn?: boolean }
  /** More of the same look. */
  children?: ReactNode
}

/** Kind, price, VIP and lock of what a list offers, in words. */
export function Badges({ kind, of, children }: BadgesProps) {
  if (of.withdrawn)
    return (
      <span className={classes.badges}>
        <span className={classes.badge}>{kind}</span>
        {children}
        {!of.open && (
          <span className={classes.badge} data-look="locked">
            已下架
          </span>
        )}
      </span>
    )
  return (
    <span className={classes.badges}>
      <span className={classes.badge}>{kind}</span>
      <span className={classes.badge} data-look={of.price > 0 ? 'price' : undefined}>
        {priceText(of.price)}
      </span>
      {children}
      {(of.vip || of.byVip) && (
        <span className={classes.badge} data-look="vip">
          {of.byVip ? 'VIP 已解锁' : 'VIP'}
        </span>
      )}
      {!of.open && (
        <span className={classes.badge} data-look="locked">
          <IconLock size={14} aria-hidden="true" />
          未解锁
        </span>
      )}
    </span>
  )
}
