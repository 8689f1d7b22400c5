import { clsx } from 'clsx'
import { Suspense } from 'react'
import type { PayWay } from '#src/contract/order.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { optional } from '#src/ui/optional.ts'
import classes from './Wait.module.css'
import { useAsking } from './useAsking.ts'

const QrCode = optional(() => import('#src/ui/qrCode/QrCode.tsx').then((m) => m.QrCode))

/** Leads to where it is paid. */
const PAGE = clsx(common.inline, common.accent, common.strong, classes.page)

interface WaitForPayProps {
  way: PayWay
  /** Asks the server; true: it is decided. */
  ask: () => Promise<boolean>
  /** Another way to pay. */
  onBack: () => void
  /** What is still open to who has not paid. */
  unpaid: string
}

const UNHEARD = '现在连不上服务器。支付结果不会丢，网络恢复后自动确认，请不要重复支付。'
const NOT_YET = '如果已经付款，请稍等片刻，这里会自动更新，请不要重复支付。'
const HOW: Record<PayWay['kind'], string> = {
  scan: '请用手机扫码支付，完成后这里会自动更新。',
  go: '请在打开的页面完成支付，完成后这里会自动更新。',
}

/** 支付结果确认中: only the server says whether it was paid, however the provider's page was left. */
export function WaitForPay({ way, ask, onBack, unpaid }: WaitForPayProps) {
  const { asking, unheard, asked, askNow } = useAsking(ask)
  const notYet = asked && !unheard
  return (
    <section className={clsx(common.stack, common.card, classes.wait)} aria-label="支付结果确认中">
      {way.kind === 'scan' && <Code text={way.text} />}
      <p className={common.column} role="status" aria-live="polite">
        <b>{notYet ? '还没有查到付款' : '支付结果确认中'}</b>
        <span className={common.note}>
          {unheard ? UNHEARD : notYet ? `${NOT_YET}如果没有付款，${unpaid}` : HOW[way.kind]}
        </span>
      </p>
      <div className={clsx(common.wrap, classes.acts)}>
        <Button onClick={askNow} busy={asking}>
          我已完成支付
        </Button>
        {way.kind === 'go' && (
          <a className={PAGE} href={way.url} target="_blank" rel="noopener">
            {notYet ? '去支付' : '重新打开支付页面'}
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
    <div className={clsx(common.column, classes.code)}>
      <Suspense>
        <QrCode text={whole} label="支付二维码，用手机扫码支付" />
      </Suspense>
      {ours && (
        <a className={PAGE} href={whole} target="_blank" rel="noopener">
          在这台电脑上打开支付页面
        </a>
      )}
    </div>
  )
}
