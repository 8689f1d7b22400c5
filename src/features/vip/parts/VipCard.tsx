import { IconCrown } from '@tabler/icons-react'
import type { VipHead } from '#src/contract/vip.ts'
import { priceText } from '#src/ui/list/Badges.tsx'
import classes from '../Vip.module.css'

interface VipCardProps {
  vip: Pick<VipHead, 'title' | 'summary' | 'from' | 'open'>
  onOpen: () => void
}

/** A package among others: what it is, from which price. */
export function VipCard({ vip: { title, summary, from, open }, onOpen }: VipCardProps) {
  return (
    <button type="button" className={classes.card} onClick={onOpen}>
      <IconCrown size={26} stroke={1.6} aria-hidden="true" />
      <strong>{title}</strong>
      <span>{summary}</span>
      <b>{open ? '已开通' : `${priceText(from)} 起`}</b>
    </button>
  )
}
