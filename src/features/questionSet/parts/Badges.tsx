import { IconLock } from '@tabler/icons-react'
import type { SetHead } from '#src/contract/questionSet.ts'
import { KIND_NAMES, priceText } from '../texts.ts'
import classes from '../Sets.module.css'

/** Kind, price, VIP and lock of a set, in words. */
export function Badges({ set }: { set: Pick<SetHead, 'kind' | 'price' | 'vip' | 'open'> }) {
  return (
    <span className={classes.badges}>
      <span>{KIND_NAMES[set.kind]}</span>
      <span data-look={set.price > 0 ? 'price' : undefined}>{priceText(set)}</span>
      {set.vip && <span data-look="vip">VIP</span>}
      {!set.open && (
        <span data-look="locked">
          <IconLock size={14} aria-hidden="true" />
          未解锁
        </span>
      )}
    </span>
  )
}
