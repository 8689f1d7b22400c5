import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useState } from 'react'
import { call } from '#src/api/client.ts'
import { setAnswer } from '#src/api/query.ts'
import { order, type OrderDetail, type PayMethod } from '#src/contract/order.ts'
import { afterEvent } from '#src/domain/money/order.ts'
import { productsText } from '#src/domain/money/products.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import { copy } from '#src/ui/feedback/copy.ts'
import { moneyText } from '#src/sale/money.ts'
import { SeenNote, type Seen, useSeen } from '#src/sale/seen.tsx'
import { TermList } from '#src/sale/TermList.tsx'
import { BackButton } from '#src/ui/BackButton.tsx'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { timeText } from '#src/ui/dates.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { feedback } from '#src/ui/feedback/feedback.ts'
import listing from '#src/ui/list/Listing.module.css'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import classes from './Order.module.css'
import { Lines } from './parts/Lines.tsx'
import { PayBox } from './parts/PayBox.tsx'
import { actOf, Place } from './parts/Place.tsx'
import { RefundForm } from './parts/RefundForm.tsx'
import { Steps } from './parts/Steps.tsx'
import { Sums } from './parts/Sums.tsx'
import { orderQuery } from './queries.ts'

interface OrderPageProps {
  id: string
  /** Its payment was just begun so. */
  begun: PayMethod | null
  /** Its payment is not under way any more. */
  onOver: () => void
  onLeave: () => void
}
const TICK_MS = 30_000
type Hold = Seen<unknown>['hold']

/** 订单详情: where it stands, what is in it, and what can be done. */
export function OrderPage({ id, begun, onOver, onLeave }: OrderPageProps) {
  const asked = useQuery({
    ...orderQuery(id),
    refetchInterval: ({ state }) => (state.data?.state === 'refunding' ? TICK_MS : false),
  })
  const { error, isPending, refetch } = asked
  const seen = useSeen(asked)
  const { data, hold } = seen
  if (isPending) return <Skeleton />
  if (!data) return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} away="订单需要联网查看" />
  return (
    <div className={clsx(common.stack, listing.page, classes.parts)}>
      <BackButton onClick={onLeave}>我的订单</BackButton>
      <SeenNote seen={seen} acts="支付、取消、收货和退款" />
      <Steps order={data} />
      <div className={clsx(common.stack, classes.parts, classes.halves)}>
        <div className={clsx(common.stack, classes.parts)}>
          {data.state === 'pending' && (
            <PayBox order={data} begun={begun} asking={asked.isFetching} hold={hold} onOver={onOver} />
          )}
          {data.refund && <Refund order={data} refund={data.refund} />}
          {data.address && <Address order={data} />}
          <section className={common.panel} aria-label="商品">
            <Lines lines={data.lines} linked />
          </section>
        </div>
        <div className={clsx(common.stack, classes.parts)}>
          <section className={common.panel} aria-label="金额">
            <Sums of={data} as={data.paidAt !== null ? 'paid' : data.state === 'pending' ? 'due' : 'ended'} />
          </section>
          <Facts order={data} />
          <Acts order={data} hold={hold} />
        </div>
      </div>
    </div>
  )
}

function Address({ order: { address, parcel } }: { order: OrderDetail }) {
  if (!address) return null
  return (
    <section className={common.panel} aria-labelledby="ship-to">
      <h2 id="ship-to" className={common.subheading}>
        收货信息
      </h2>
      <p className={common.note}>
        {address.name} {address.mobile}
        <br />
        {address.text}
      </p>
      {parcel && (
        <p className={clsx(common.note, common.wrap)}>
          {parcel.carrier}：<b className={classes.number}>{parcel.number}</b>
          <Button small look="quiet" onClick={() => void copy(parcel.number, '单号')}>
            复制单号
          </Button>
        </p>
      )}
    </section>
  )
}

interface RefundProps {
  order: OrderDetail
  refund: NonNullable<OrderDetail['refund']>
}
const Refund = ({ order: { wallet, due }, refund: { reason, askedAt, approvedAt, declined } }: RefundProps) => (
  <section className={common.panel} aria-labelledby="refund">
    <h2 id="refund" className={common.subheading}>
      退款
    </h2>
    <p className={common.note}>
      {timeText(askedAt)} 退款原因：{reason}
      <br />
      {declined
        ? `未同意：${declined}`
        : approvedAt === null
          ? '等待处理，一般在 2 个工作日内'
          : `已同意：${backText(wallet, due)}`}
    </p>
  </section>
)

/** Each part goes back to where it came from. */
const backText = (wallet: number, due: number): string =>
  [wallet > 0 && `${moneyText(wallet)} 退到钱包`, due > 0 && `${moneyText(due)} 原路退回`].filter(Boolean).join('，') ||
  '没有付款，不需要退款'

function Facts({
  order: { id, createdAt, paidAt, shippedAt, completedAt, cancelledAt, refundedAt, remark, coupon },
}: {
  order: OrderDetail
}) {
  const moment = (at: number | null) => (at === null ? null : timeText(at))
  const facts: readonly (readonly [string, string | null])[] = [
    ['订单编号', id],
    ['下单时间', moment(createdAt)],
    ['支付时间', moment(paidAt)],
    ['发货时间', moment(shippedAt)],
    ['完成时间', moment(completedAt)],
    ['取消时间', moment(cancelledAt)],
    ['退款时间', moment(refundedAt)],
    ['优惠券', coupon],
    ['备注', remark || null],
  ]
  return (
    <TermList
      className={common.small}
      terms={facts.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]))}
    />
  )
}

function Acts({ order: of, hold }: { order: OrderDetail; hold: Hold }) {
  const now = useServerNow(TICK_MS)
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const can = (event: Parameters<typeof afterEvent>[1]) => afterEvent(of, event, now) !== null
  const acting = useMutation({
    mutationFn: (act: typeof order.cancel) => call(act, { id: of.id }, { loading: true }),
    onSuccess: (changed) => {
      setAnswer(client, orderQuery(of.id), changed)
      void client.invalidateQueries()
      // What has become of it stands at the top.
      window.scrollTo(0, 0)
    },
    // What is refused has mostly happened elsewhere already: the page shows what has.
    onError: () => void client.invalidateQueries({ queryKey: orderQuery(of.id).queryKey }),
  })
  const cancel = async () => {
    if (await confirmed('取消订单', '取消后订单不能恢复；用掉的优惠券和钱包余额会退回。', '取消订单'))
      acting.mutate(order.cancel)
  }
  const receive = async () => {
    if (await confirmed('确认收货', '请在收到商品后确认。', '已收到')) acting.mutate(order.receive)
  }
  const [first] = of.state === 'completed' ? of.lines.filter((line) => actOf(line) !== null) : []
  return (
    <div className={common.wrap}>
      {first && (
        <Place line={first} look={buttonLook()}>
          {actOf(first)}
        </Place>
      )}
      {can('receive') && (
        <Button {...hold} onClick={() => void receive()}>
          确认收货
        </Button>
      )}
      {(of.state === 'completed' || of.state === 'cancelled') && <BuyAgain order={of} hold={hold} />}
      {can('askRefund') && (
        <Button look="quiet" {...hold} onClick={() => setAsking(true)}>
          申请退款
        </Button>
      )}
      {can('cancel') && (
        <Button look="quiet" tone="danger" {...hold} onClick={() => void cancel()}>
          取消订单
        </Button>
      )}
      {asking && <RefundForm order={of} onClose={() => setAsking(false)} />}
    </div>
  )
}

const BuyAgain = ({ order: { lines }, hold }: { order: OrderDetail; hold: Hold }) =>
  hold.disabled ? (
    <Button look="light" {...hold}>
      再次购买
    </Button>
  ) : (
    <Link {...buttonLook({ look: 'light' })} to="/order/payment/$products" params={{ products: productsText(lines) }}>
      再次购买
    </Link>
  )

async function confirmed(title: string, message: string, label: string): Promise<boolean> {
  const actions = [
    { key: 'no', label: '再想想' },
    { key: 'yes', label, tone: 'primary' },
  ] as const
  return (await feedback.ask({ title, message, actions })) === 'yes'
}
