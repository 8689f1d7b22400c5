import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { OrderHead, OrderState } from '#src/contract/order.ts'
import { moneyText } from '#src/sale/money.ts'
import { SeenNote, useSeen } from '#src/sale/seen.tsx'
import common from '#src/ui/common.module.css'
import { Empty } from '#src/ui/Empty.tsx'
import { timeText } from '#src/ui/dates.ts'
import { Chips } from '#src/ui/list/Chips.tsx'
import { Listed } from '#src/ui/list/Listed.tsx'
import listing from '#src/ui/list/Listing.module.css'
import classes from './Order.module.css'
import { Lines } from './parts/Lines.tsx'
import { ordersQuery } from '#src/sale/queries.ts'
import { stateText, TABS } from './texts.ts'

/** 我的订单: by where they stand, the newest first. */
export function MyOrderPage() {
  const [tab, setTab] = useState('全部')
  const states = TABS.find(({ name }) => name === tab)?.states ?? []
  const orders = useInfiniteQuery({ ...ordersQuery(states), staleTime: 0 })
  const seen = useSeen(orders)
  return (
    <div className={classes.mine}>
      <h1 className={clsx(common.title, classes.mineTitle)}>我的订单</h1>
      <Chips
        label="订单状态"
        options={TABS.map(({ name }) => ({ value: name, label: name }))}
        chosen={tab}
        onPick={setTab}
      />
      <SeenNote seen={seen} acts="支付、退款等操作" />
      <Listed
        name={tab}
        label="订单"
        away="订单需要联网查看"
        from={{ ...orders, data: seen.data }}
        pages={orders}
        rows={seen.data?.pages.flatMap((page) => page.orders) ?? []}
        keyOf={({ id }) => id}
        empty={
          <Empty of="parcel" title="还没有订单">
            <p>买过的图书、课程、题集和会员会在这里。</p>
          </Empty>
        }
      >
        {(each) => <Card order={each} />}
      </Listed>
    </div>
  )
}

/** A state that asks the student for something stands out; an order that came to nothing is quiet. */
const TONES: Partial<Record<OrderState, string | undefined>> = {
  pending: common.warm,
  cancelled: common.quiet,
  refunded: common.quiet,
}

const Card = ({ order }: { order: OrderHead }) => (
  <Link className={clsx(common.link, listing.card)} to="/order/order_detail/$id" params={{ id: order.id }}>
    <span className={common.between}>
      <small className={clsx(common.caption, common.figures)}>{timeText(order.createdAt)}</small>
      <b className={TONES[order.state] ?? common.accent}>{stateText(order)}</b>
    </span>
    <Lines lines={order.lines} />
    <span className={clsx(common.row, common.figures, common.end)}>
      {order.state === 'pending' ? '应付' : '合计'} <b className={common.warm}>{moneyText(order.wallet + order.due)}</b>
    </span>
  </Link>
)
