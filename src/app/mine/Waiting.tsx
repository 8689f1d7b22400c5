import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import common from '#src/ui/common.module.css'
import classes from './Hub.module.css'
import type { Counts } from './useCounts.ts'

const cellLook = clsx(common.link, classes.cell)

/** Shows what asks the student for something: four places that stay where they are, those with something to do in colour. */
export const Waiting = ({ counts, onInbox }: { counts: Counts; onInbox: () => void }) => (
  <nav className={clsx(common.card, classes.waiting)} aria-label="待处理">
    <Link to="/user/my_error" className={cellLook}>
      <Count of={counts.due} /> 今日待复习
    </Link>
    <Link to="/user/my_order" className={cellLook}>
      <Count of={counts.unpaid} /> 待支付
    </Link>
    <Link to="/user/my_coupon" className={cellLook}>
      <Count of={counts.ending} /> 券快到期
    </Link>
    <button type="button" className={cellLook} onClick={onInbox}>
      <Count of={counts.unread} /> 未读消息
    </button>
  </nav>
)

const Count = ({ of }: { of: number | null }) => (
  <b className={clsx(common.heading, common.figures, of ? common.warm : common.quiet)}>{of ?? '—'}</b>
)
