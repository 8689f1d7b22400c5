import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { v7 as uuid } from 'uuid'
import { call } from '#src/api/client.ts'
import type { PayMethod, PayWay } from '#src/contract/order.ts'
import { TOP_UP, wallet } from '#src/contract/wallet.ts'
import { Methods } from '#src/sale/checkout/Methods.tsx'
import { moneyText } from '#src/sale/money.ts'
import { deviceNow, follow, isShutOut, openTab } from '#src/sale/checkout/paying.ts'
import { WaitForPay } from '#src/sale/checkout/WaitForPay.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Choices } from '#src/ui/Choices.tsx'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import common from '#src/ui/common.module.css'
import { feedback } from '#src/ui/feedback/feedback.ts'
import field from '#src/ui/Field.module.css'

const AMOUNTS = [2_000, 5_000, 10_000, 20_000] as const
const OTHER = 0
const DIFFERS = '付款金额与充值金额不符，没有计入余额。款项会退回给你，有问题请联系客服。'

/** Fen of an amount in yuan with at most two decimals; null for anything else. */
function fenOf(yuan: string): number | null {
  const [, whole, cents = ''] = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(yuan.normalize('NFKC').trim()) ?? []
  return whole === undefined ? null : Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}

interface TopUpProps {
  methods: readonly PayMethod[]
  onClose: () => void
}

/** 充值: an amount, a way to pay it, and its result. */
export function TopUp({ methods, onClose }: TopUpProps) {
  const [chosen, setChosen] = useState<number>(AMOUNTS[1])
  const [typed, setTyped] = useState('')
  const [method, setMethod] = useState(methods[0] ?? null)
  // Sent again after an answer was lost, it is the same top-up.
  const [key, setKey] = useState(() => uuid())
  const [begun, setBegun] = useState<{ id: string; way: PayWay } | null>(null)
  const amount = chosen === OTHER ? fenOf(typed) : chosen
  const valid = amount !== null && amount >= TOP_UP.least && amount <= TOP_UP.most
  const change = (set: () => void) => {
    set()
    setKey(uuid())
  }
  const beginning = useMutation({
    mutationFn: (wanted: { amount: number; method: PayMethod; tab: Window | null }) =>
      call(wallet.topUp, { key, amount: wanted.amount, method: wanted.method, device: deviceNow() }, { loading: true }),
    onSuccess: (found, { tab }) => {
      follow(found.way, tab)
      setBegun(found)
    },
    onError: (_, { tab }) => tab?.close(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (valid && method !== null) beginning.mutate({ amount, method, tab: openTab(method) })
  }
  const ask = async (id: string) => {
    const { state, balance } = await call(wallet.topUpState, { id })
    if (state === 'open') return false
    if (state === 'differs') void feedback.warn(DIFFERS)
    else feedback.toast(state === 'paid' ? `充值成功，余额 ${moneyText(balance)}` : '充值没有完成，没有扣款')
    onClose()
    return true
  }
  return (
    <Dialog title="充值" sheet onClose={onClose}>
      {begun ? (
        <WaitForPay
          way={begun.way}
          ask={() => ask(begun.id)}
          onBack={() => change(() => setBegun(null))}
          unpaid="可以继续支付，也可以关闭这里，不会扣款。"
        />
      ) : (
        <form className={common.stack} onSubmit={submit}>
          <Choices
            title="充值金额"
            options={[
              ...AMOUNTS.map((each) => ({ value: each as number, label: `${each / 100} 元` })),
              { value: OTHER, label: '其他金额' },
            ]}
            chosen={[chosen]}
            onPick={(value) => change(() => setChosen(value))}
          />
          {chosen === OTHER && (
            <label className={field.field}>
              <span className={common.strong}>金额（元）</span>
              <input
                className={field.input}
                inputMode="decimal"
                value={typed}
                aria-invalid={typed !== '' && !valid}
                data-look={typed !== '' && !valid ? 'wrong' : undefined}
                onChange={(event) => change(() => setTyped(event.target.value))}
              />
              <small className={common.caption}>
                {TOP_UP.least / 100} 至 {TOP_UP.most / 100} 元，最多两位小数
              </small>
            </label>
          )}
          <Methods methods={methods} chosen={method} onPick={(picked) => change(() => setMethod(picked))} />
          <Button type="submit" busy={beginning.isPending} disabled={!valid || method === null || isShutOut(method)}>
            {valid ? `充值 ${moneyText(amount)}` : '充值'}
          </Button>
        </form>
      )}
    </Dialog>
  )
}
