import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { WalletRecord } from '#src/contract/wallet.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { goodsText, WALLET_KIND_NAMES } from '#src/domain/money/orderNames.ts'
import { serverNow } from '#src/offline/device/serverClock.ts'
import { moneyText } from '#src/sale/money.ts'
import { SeenNote, useSeen } from '#src/sale/seen.tsx'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Empty } from '#src/ui/Empty.tsx'
import { timeText } from '#src/ui/dates.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Listed } from '#src/ui/list/Listed.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { recordsQuery } from './queries.ts'
import { TopUp } from './TopUp.tsx'
import classes from './Wallet.module.css'

const thisMonth = (): string => dateOf(dayOf(serverNow())).slice(0, 7)
const monthText = (month: string): string => `${Number(month.slice(0, 4))}年${Number(month.slice(5))}月`

/** So many months away. */
function shifted(month: string, by: number): string {
  const [year = 0, index = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, index - 1 + by, 1)).toISOString().slice(0, 7)
}

/** 我的钱包: what it holds, and by months what came and went. */
export function WalletPage() {
  const [month, setMonth] = useState(thisMonth)
  const [topping, setTopping] = useState(false)
  const records = useInfiniteQuery({ ...recordsQuery(month), staleTime: 0 })
  const { data, error, dataUpdatedAt } = records
  const [last, setLast] = useState({ data, error, dataUpdatedAt })
  if (data && (data !== last.data || error !== last.error || dataUpdatedAt !== last.dataUpdatedAt))
    setLast({ data, error, dataUpdatedAt })
  // Another month is on its way: the balance stays in sight as it was seen, and can be topped up if it still holds.
  const seen = useSeen(data ? records : { ...records, ...last })
  const [known] = seen.data?.pages ?? []
  const pages = data && seen.data?.pages
  const first = pages?.[0]
  if (!known && records.isPending) return <Skeleton />
  if (!known)
    return <ErrorCard error={error} onRetry={() => void records.refetch()} away="钱包余额和记录需要联网查看" />
  return (
    <div className={clsx(common.stack, classes.wallet)}>
      <h1 className={common.title}>我的钱包</h1>
      <SeenNote seen={seen} acts="充值" />
      <section className={clsx(common.panel, classes.balance)} aria-label="余额">
        <p className={clsx(common.column, common.note)}>
          余额
          <b className={clsx(common.figures, classes.sum)}>{moneyText(known.balance)}</b>
        </p>
        {known.methods.length > 0 && (
          <Button {...seen.hold} onClick={() => setTopping(true)}>
            充值
          </Button>
        )}
        {known.methods.length === 0 && (
          <p className={clsx(common.note, classes.why)}>本站还没有开通支付，充值请以后再来看看</p>
        )}
        {known.frozen && (
          <p className={clsx(common.note, classes.why)}>余额里有试用时的沙箱款项，不是真钱，客服处理之后才能使用余额</p>
        )}
      </section>
      <div className={clsx(common.wrap, classes.month)}>
        <IconButton aria-label="上个月" onClick={() => setMonth(shifted(month, -1))}>
          <IconChevronLeft size={22} />
        </IconButton>
        <h2 className={clsx(common.subheading, common.figures)} aria-live="polite">
          {monthText(month)}
        </h2>
        <IconButton aria-label="下个月" disabled={month >= thisMonth()} onClick={() => setMonth(shifted(month, 1))}>
          <IconChevronRight size={22} />
        </IconButton>
        {first && (
          <p className={clsx(common.note, common.figures, classes.flow)}>
            收入 {moneyText(first.came)} · 支出 {moneyText(first.went)}
          </p>
        )}
      </div>
      <Listed
        name={month}
        label="钱包记录"
        away="这个月的记录需要联网查看"
        from={{ ...records, data: pages }}
        pages={records}
        rows={pages?.flatMap((page) => page.records) ?? []}
        keyOf={({ id }) => id}
        empty={
          <Empty of="wallet">
            <p>这个月没有收支</p>
          </Empty>
        }
      >
        {(each) => <Row record={each} />}
      </Listed>
      {topping && (
        <TopUp
          methods={known.methods}
          onClose={() => {
            setTopping(false)
            void records.refetch()
          }}
        />
      )}
    </div>
  )
}

const ROW = clsx(common.card, common.between, common.link, common.figures, classes.row)

function Row({ record: { kind, at, amount, balance, order, goods } }: { record: WalletRecord }) {
  const content = (
    <>
      <span className={clsx(common.column, common.grow)}>
        <strong>
          {WALLET_KIND_NAMES[kind]}
          {goods && `：${goodsText(goods)}`}
        </strong>
        <small className={common.caption}>{timeText(at)}</small>
      </span>
      <span className={clsx(common.column, common.fixed, classes.amount)}>
        <b className={amount < 0 ? undefined : common.right}>
          {amount > 0 && '+'}
          {moneyText(amount)}
        </b>
        <small className={common.caption}>余额 {moneyText(balance)}</small>
      </span>
    </>
  )
  return order === null ? (
    <div className={ROW}>{content}</div>
  ) : (
    <Link className={ROW} to="/order/order_detail/$id" params={{ id: order }}>
      {content}
    </Link>
  )
}
