import { IconChevronRight, IconCloudOff } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type ComponentType, useState } from 'react'
import { call } from '#src/api/client.ts'
import { OfflineError, RefusedError } from '#src/api/errors.ts'
import { MAX_REMARK, order, type PayMethod, type Product, type Quote } from '#src/contract/order.ts'
import { quantityIn, withQuantity } from '#src/domain/money/quantities.ts'
import { Bar } from '#src/sale/checkout/Bar.tsx'
import { Methods } from '#src/sale/checkout/Methods.tsx'
import { moneyText } from '#src/sale/money.ts'
import { deviceNow, follow, isShutOut, openTab } from '#src/sale/checkout/paying.ts'
import { BackButton } from '#src/ui/BackButton.tsx'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import field from '#src/ui/Field.module.css'
import listing from '#src/ui/list/Listing.module.css'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { type Draft, useDraft } from './draft.ts'
import classes from './Order.module.css'
import { CouponSheet } from './parts/CouponSheet.tsx'
import { Lines } from './parts/Lines.tsx'
import { Sums } from './parts/Sums.tsx'
import { quoteQuery } from './queries.ts'
import { RULES } from './texts.ts'

interface CheckoutPageProps {
  products: Product[]
  /** Where the address is chosen. */
  ShipTo: ComponentType<{ chosen: Quote['address']; onPick: (id: string) => void }>
  /** The order is made; `method`: its payment has begun. */
  onMade: (id: string, method: PayMethod | null) => void
  /** Another number of something is wanted. */
  onProducts: (products: Product[]) => void
  onLeave: () => void
}

/** 确认订单: what it comes to, as the server has it now, and how it is paid. */
export function CheckoutPage({ products, ShipTo, onMade, onProducts, onLeave }: CheckoutPageProps) {
  const { draft, change, keep, forget } = useDraft(products)
  const { address, coupon, wallet } = draft
  const wanted = {
    products,
    wallet,
    ...(address !== undefined && { address }),
    ...(coupon !== undefined && { coupon }),
  }
  const {
    data: quote,
    error,
    isPending,
    isError,
    isFetching,
    refetch,
  } = useQuery({
    ...quoteQuery(wanted),
    placeholderData: keepPreviousData,
  })
  const { submit, busy } = useSubmit(draft, products, quote, { keep, forget, refetch, onMade })
  if (isPending) return <Skeleton />
  if (!quote)
    return (
      <ErrorCard
        error={error}
        onRetry={() => void refetch()}
        onLeave={onLeave}
        away="下单和支付需要联网，填写的内容已保存"
      />
    )
  const method = methodOf(draft, quote)
  return (
    <div className={clsx(common.stack, listing.page, classes.parts)}>
      <BackButton onClick={onLeave}>返回</BackButton>
      <h1 className={clsx(listing.pageTitle, classes.title)}>确认订单</h1>
      {isError && <Unreached />}
      <div className={clsx(common.stack, classes.parts, classes.halves)}>
        <div className={clsx(common.stack, classes.parts)}>
          {quote.ships && <ShipTo chosen={quote.address} onPick={(id) => change({ address: id })} />}
          <section className={common.panel} aria-label="商品">
            <Lines
              lines={quote.lines.map((line) => ({ ...line, quantity: quantityIn(products, line) }))}
              onQuantity={(line, quantity) => onProducts(withQuantity(products, line, quantity))}
            />
          </section>
          <label className={field.field}>
            <span className={common.strong}>备注（选填）</span>
            <input
              className={field.input}
              type="text"
              maxLength={MAX_REMARK}
              value={draft.remark}
              onChange={(event) => change({ remark: event.currentTarget.value })}
            />
          </label>
        </div>
        <div className={clsx(common.stack, classes.parts)}>
          <Reductions quote={quote} draft={draft} change={change} />
          <section className={common.panel} aria-label="金额">
            <Sums of={quote} as="due" freightNote={quote.freightWhy} homeless={quote.ships && quote.address === null} />
            {quote.due > 0 && quote.methods.length > 0 && (
              <Methods methods={quote.methods} chosen={method} onPick={(picked) => change({ method: picked })} />
            )}
          </section>
          <p className={clsx(common.caption, classes.rules)}>{RULES}</p>
          <Bar>
            {quote.problem !== null && (
              <p className={clsx(common.strong, common.wrong)} role="alert">
                {quote.problem}
              </p>
            )}
            <Button
              busy={busy}
              disabled={quote.problem !== null || isFetching || (quote.due > 0 && isShutOut(method))}
              onClick={() => submit(method)}
            >
              {submitText(quote)}
            </Button>
          </Bar>
        </div>
      </div>
    </div>
  )
}

const Unreached = () => (
  <p className={listing.lock} role="alert">
    <IconCloudOff className={common.fixed} size={20} aria-hidden="true" />
    <span>下单和支付需要联网，填写的内容已保存，联网后可以继续。</span>
  </p>
)

/** The one that was chosen, if it can be; else the first. */
const methodOf = ({ method }: Draft, { methods }: Quote): PayMethod | null =>
  method !== null && methods.includes(method) ? method : (methods[0] ?? null)

/** What happens next, with its sum: what comes from the wallet alone goes at once. */
function submitText({ problem, due, wallet }: Quote): string {
  if (problem !== null) return '提交订单'
  return due > 0 ? `提交订单并支付 ${moneyText(due)}` : wallet > 0 ? `用钱包支付 ${moneyText(wallet)}` : '提交订单'
}

interface ReductionsProps {
  quote: Quote
  draft: Draft
  change: (changes: Partial<Draft>) => void
}
function Reductions({ quote, draft, change }: ReductionsProps) {
  const [open, setOpen] = useState(false)
  const { coupons, coupon, couponWhy, discount, balance, wallet } = quote
  return (
    <section className={common.panel} aria-label="优惠与抵扣">
      <button
        type="button"
        className={clsx(common.row, classes.choice)}
        disabled={coupons.length === 0}
        onClick={() => setOpen(true)}
      >
        <Choice name="优惠券" note={coupons.length === 0 ? '没有优惠券' : couponWhy} off={discount} />
        {coupons.length > 0 && <IconChevronRight size={18} aria-hidden="true" />}
      </button>
      <label className={clsx(common.row, classes.choice)}>
        <Choice name="用钱包余额抵扣" note={`余额 ${moneyText(balance)}`} off={wallet} />
        <input
          type="checkbox"
          className={classes.check}
          checked={draft.wallet && balance > 0}
          disabled={balance === 0}
          onChange={(event) => change({ wallet: event.currentTarget.checked })}
        />
      </label>
      {open && (
        <CouponSheet
          coupons={coupons}
          chosen={coupon}
          onPick={(id) => change({ coupon: id })}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}

const Choice = ({ name, note, off }: { name: string; note: string; off: number }) => (
  <>
    <span className={clsx(common.column, common.grow)}>
      {name}
      <small className={common.caption}>{note}</small>
    </span>
    <b className={clsx(common.warm, common.figures)}>{off > 0 ? moneyText(-off) : ''}</b>
  </>
)

/** Whether the order was lost on its way or its answer was, nobody here can know: to send it again is right in both cases. */
function tellAgain(error: unknown): never {
  if (error instanceof OfflineError)
    throw new RefusedError('没有连上服务器，填写的内容已保存。网络恢复后请再点一次，不会重复下单。')
  throw error
}

interface After {
  keep: () => void
  forget: () => void
  refetch: () => unknown
  onMade: CheckoutPageProps['onMade']
}
/** Makes the order and begins its payment. An order that was made is never made again, whatever is lost on the way. */
function useSubmit(
  draft: Draft,
  products: Product[],
  quote: Quote | undefined,
  { keep, forget, refetch, onMade }: After,
) {
  const making = useMutation({
    mutationFn: async ({ method, tab }: { method: PayMethod | null; tab: Window | null }) => {
      if (!quote) throw new Error('an order without a quote')
      const { key, remark, wallet } = draft
      const { coupon, address, due } = quote
      const wanted = { key, remark, wallet, products, coupon, expect: quote.wallet + due }
      const whole = { ...wanted, ...(address && { address: address.id }) }
      keep()
      const { id, state } = await call(order.create, whole, { loading: true }).catch(tellAgain)
      forget()
      const begins = state === 'pending' && method !== null
      onMade(id, begins ? method : null)
      // On a computer nothing opens: the order's own page shows the code.
      if (!begins || deviceNow() === 'desktop') return tab?.close()
      const { way } = await call(order.pay, { id, method, device: deviceNow() })
      follow(way, tab)
    },
    onError: (_, { tab }) => {
      tab?.close()
      void refetch()
    },
  })
  const submit = (method: PayMethod | null) =>
    making.mutate({ method, tab: quote && quote.due > 0 && method !== null ? openTab(method) : null })
  return { submit, busy: making.isPending }
}
