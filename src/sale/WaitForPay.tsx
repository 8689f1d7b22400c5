import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { PayWay } from '#src/contract/order.ts'
import { Button } from '#src/ui/Button.tsx'
import { optional } from '#src/ui/optional.ts'
import classes from './Sale.module.css'

const QrCode = optional(() => import('#src/ui/QrCode.tsx').then((m) => m.QrCode))

/** How soon the server is asked again, each time later: who has paid looks now, who has gone away does not. */
const ASK_MS = [1_500, 2_500, 4_000, 6_000, 10_000, 15_000, 30_000] as const

interface WaitForPayProps {
  way: PayWay
  /** Asks the server; true: it is decided. */
  ask: () => Promise<boolean>
  /** Another way to pay. */
  onBack: () => void
}

/** 支付结果确认中: only the server says whether it was paid, however the provider's page was left. */
export function WaitForPay({ way, ask, onBack }: WaitForPayProps) {
  const { asking, unheard, askNow } = useAsking(ask)
  return (
    <section className={classes.wait} aria-label="支付结果确认中">
      {way.kind === 'scan' && <Code text={way.text} />}
      <p role="status" aria-live="polite">
        <b>支付结果确认中</b>
        <span>
          {unheard
            ? '现在连不上服务器。支付结果不会丢，网络恢复后自动确认，请不要重复支付。'
            : way.kind === 'scan'
              ? '请用手机扫码支付，完成后这里会自动更新。'
              : '请在打开的页面完成支付，完成后这里会自动更新。'}
        </span>
      </p>
      <div className={classes.acts}>
        <Button onClick={askNow} busy={asking}>
          我已完成支付
        </Button>
        {way.kind === 'go' && (
          <a href={way.url} target="_blank" rel="noopener">
            重新打开支付页面
          </a>
        )}
        <Button look="quiet" onClick={onBack}>
          换一种支付方式
        </Button>
      </div>
    </section>
  )
}

function Code({ text }: { text: string }) {
  // A page of ours is one of this very site, whichever name it was reached by.
  const ours = text.startsWith('/')
  const whole = ours ? `${window.location.origin}${text}` : text
  return (
    <div className={classes.code}>
      <Suspense>
        <QrCode text={whole} label="支付二维码，用手机扫码支付" />
      </Suspense>
      {ours && (
        <a href={whole} target="_blank" rel="noopener">
          在这台电脑上打开支付页面
        </a>
      )}
    </div>
  )
}

/** Asks again and again, and at once when the student comes back or wants to know. */
function useAsking(ask: () => Promise<boolean>) {
  const [asking, setAsking] = useState(false)
  const [unheard, setUnheard] = useState(false)
  const askServer = useEffectEvent(async (): Promise<boolean> => {
    try {
      const done = await ask()
      setUnheard(false)
      return done
    } catch {
      setUnheard(true)
      return false
    }
  })
  useEffect(() => {
    let stopped = false
    let timer: ReturnType<typeof setTimeout>
    const turn = async (times: number) => {
      const done = document.visibilityState === 'visible' && (await askServer())
      if (!stopped && !done) later(times + 1)
    }
    const later = (times: number) => {
      timer = setTimeout(() => void turn(times), ASK_MS[Math.min(times, ASK_MS.length - 1)])
    }
    const seen = () => {
      if (document.visibilityState !== 'visible') return
      clearTimeout(timer)
      void turn(0)
    }
    later(0)
    document.addEventListener('visibilitychange', seen)
    window.addEventListener('online', seen)
    return () => {
      stopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seen)
      window.removeEventListener('online', seen)
    }
  }, [])
  const askNow = () => {
    setAsking(true)
    const heard = (unheardNow: boolean) => () => {
      setUnheard(unheardNow)
      setAsking(false)
    }
    void ask().then(heard(false), heard(true))
  }
  return { asking, unheard, askNow }
}
