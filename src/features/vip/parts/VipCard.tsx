import { IconCrown } from '@tabler/icons-react'
import { clsx } from 'clsx'
import type { VipHead } from '#src/contract/vip.ts'
import common from '#src/ui/common.module.css'
import { priceText } from '#src/ui/list/Badges.tsx'
import classes from '../Vip.module.css'

interface VipCardProps {
  vip: Pick<VipHead, 'title' | 'summary' | 'from' | 'open'>
  onOpen: () => void
}

/** A package among others: what it is, from which price. */
export function VipCard({ vip: { title, summary, from, open }, onOpen }: VipCardProps) {
  return (
    <button type="button" className={clsx(common.card, common.row, classes.card)} onClick={onOpen}>
      <IconCrown className={clsx(common.fixed, common.warm)} size={26} stroke={1.6} aria-hidden="true" />
      <span className={clsx(common.column, common.grow)}>
        <strong className={common.subheading}>{title}</strong>
        <span className={common.note}>{summary}</span>
      </span>
      <b className={clsx(common.fixed, common.warm, common.figures)}>{open ? '已开通' : `${priceText(from)} 起`}</b>
    </button>
  )
}
