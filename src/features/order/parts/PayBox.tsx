import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { call } from '#src/api/client.ts'
import { order, type OrderDetail, type PayMethod, type PayWay } from '#src/contract/order.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import { Methods } from '#src/sale/checkout/Methods.tsx'
import { moneyText } from '#src/sale/money.ts'
import { deviceNow, follow, isShutOut, openTab } from '#src/sale/checkout/paying.ts'
import type { Seen } from '#src/sale/seen.tsx'
import { useAsking } from '#src/sale/checkout/useAsking.ts'
import { WaitForPay } from '#src/sale/checkout/WaitForPay.tsx'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { leftText } from '../texts.ts'

interface PayBoxProps {
  order: OrderDetail
  /** Its payment was just begun so, in another tab. */
  begun: PayMethod | null
  /** The server is being asked for it, and may turn out to be away. */
  asking: boolean
  /** Without the server nothing can be paid. */
  hold: Seen<unknown>['hold']
  /** Nothing of it is under way any more. */
  onOver: () => void
}

/** Pays an order, or waits for what became of its payment. */
export function PayBox({ order: of, begun, asking, hold, onOver }: PayBoxProps) {
  const { id, due, balance } = of
  const now = useServerNow(1000)
  const client = useQueryClient()
  const [way, setWay] = useState<PayWay | null>(null)
  const [failed, setFailed] = useState(false)
  const [picked, setPicked] = useState<PayMethod | null>(begun)
  const methods: PayMethod[] = [...(balance >= due ? (['wallet'] as const) : []), ...of.methods]
  const method = picked !== null && methods.includes(picked) ? picked : (methods[0] ?? null)
  const paying = useMutation({
    mutationFn: ({ by }: { by: PayMethod; tab: Window | null; quietly?: boolean }) =>
      call(order.pay, { id, method: by, device: deviceNow() }, { loading: true }),
    onSuccess: ({ state, way: found }, { tab, quietly }) => {
      if (!quietly) follow(found, tab)
      setFailed(false)
      setWay(found)
      if (state !== 'pending') void client.invalidateQueries()
    },
    onError: (_, { tab }) => tab?.close(),
  })
  // The page before has sent the student there already: here is only waited.
  const resumed = useRef(false)
  const resume = useEffectEvent(() => {
    if (resumed.current || begun === null || begun === 'wallet' || isShutOut(begun)) return
    resumed.current = true
    paying.mutate({ by: begun, tab: null, quietly: true })
  })
  // Nobody is told of a failure that they did not cause: over a line that may be dead nothing is asked unbidden.
  const quiet = asking || hold.disabled === true
  useEffect(() => {
    if (!quiet) resume()
  }, [quiet])
  const stop = (unpaid: boolean) => {
    setWay(null)
    setFailed(unpaid)
    onOver()
  }
  const ask = async () => {
    const { state, open } = await call(order.state, { id })
    if (state !== 'pending') await client.invalidateQueries()
    else if (!open) stop(true)
    return state !== 'pending'
  }
  if (now >= of.expiresAt) return <TooLate ask={ask} />
  if (methods.length === 0)
    return (
      <section className={common.panel} aria-label="支付">
        <p className={common.note} role="status">
          本站还没有开通支付，这个订单暂时不能支付，到支付截止时间会自动取消。
        </p>
      </section>
    )
  return (
    <>
      <p className={clsx(common.quiet, common.figures)} role="timer">
        剩余支付时间 <b className={clsx(common.heading, common.warm)}>{leftText(of.expiresAt - now)}</b>
      </p>
      {way ? (
        <WaitForPay
          way={way}
          ask={ask}
          onBack={() => stop(false)}
          unpaid="订单会保留到剩余时间用完，可以继续支付，也可以在本页取消订单。"
        />
      ) : (
        <section className={common.panel} aria-label="支付">
          {failed && (
            <p className={common.note} role="alert">
              这次支付没有完成，没有扣款，可以重新支付。
            </p>
          )}
          <Methods methods={methods} chosen={method} onPick={setPicked} note={`余额 ${moneyText(balance)}`} />
          <Button
            busy={paying.isPending}
            {...hold}
            disabled={method === null || isShutOut(method) || hold.disabled}
            onClick={() => method && paying.mutate({ by: method, tab: openTab(method) })}
          >
            去支付 {moneyText(due)}
          </Button>
        </section>
      )}
    </>
  )
}

/** The time to pay is over; what was paid in its last moments counts all the same, and only the server knows of it. */
function TooLate({ ask }: { ask: () => Promise<boolean> }) {
  const { asking, unheard, askNow } = useAsking(ask)
  return (
    <section className={common.panel} aria-label="支付">
      <p className={common.note} role="status">
        {unheard
          ? '已超过支付时间。现在连不上服务器，网络恢复后自动确认最终结果。'
          : '已超过支付时间，正在确认最终结果，请稍候。'}
      </p>
      <Button look="light" busy={asking} onClick={askNow}>
        刷新结果
      </Button>
    </section>
  )
}
