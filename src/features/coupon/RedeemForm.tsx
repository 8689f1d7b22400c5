import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type FormEvent, useId, useRef, useState } from 'react'
import { call } from '#src/api/client.ts'
import { failureWords, refusalWords, RefusedError, TOLD_HERE } from '#src/api/errors.ts'
import { coupon, MAX_CODE_CHARS, type Redeemed } from '#src/contract/coupon.ts'
import { CODE_MISTYPED, readCode } from '#src/domain/money/couponCode.ts'
import type { Seen } from '#src/sale/seen.tsx'
import { Button } from '#src/ui/Button.tsx'
import { useWarning } from '#src/ui/feedback/useWarning.ts'
import common from '#src/ui/common.module.css'
import field from '#src/ui/Field.module.css'
import classes from './Coupon.module.css'
import { couponsQuery } from '#src/sale/queries.ts'
import { redeemedText } from './texts.ts'

interface RedeemFormProps {
  /** Without the server nothing can be redeemed. */
  hold: Seen<unknown>['hold']
  onRedeemed: () => void
}

/** 兑换: a code of a coupon, or one that came with a book. What was typed stays until it has been redeemed. */
export function RedeemForm({ hold, onRedeemed }: RedeemFormProps) {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const [mistyped, setMistyped] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const told = useId()
  const redeeming = useMutation({
    meta: TOLD_HERE,
    mutationFn: (code: string) => call(coupon.redeem, { code }),
    onSuccess: ({ kind }) => {
      setTyped('')
      onRedeemed()
      // VIP opens much; a coupon is in the list.
      void client.invalidateQueries(kind === 'vip' ? {} : couponsQuery())
    },
    // The answer to an earlier try may have been lost on its way: what the student has by now is shown.
    onError: () => {
      input.current?.focus()
      void client.invalidateQueries(couponsQuery())
    },
  })
  useWarning(refusalWords(redeeming.error))
  const change = (text: string) => {
    setTyped(text.toUpperCase())
    setMistyped(false)
    redeeming.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const code = readCode(typed)
    setMistyped(code === null)
    if (code === null) input.current?.focus()
    else redeeming.mutate(code)
  }
  return (
    <form className={clsx(common.panel, classes.redeem)} onSubmit={submit} noValidate>
      <label className={field.field}>
        <span className={common.strong}>兑换码</span>
        <input
          className={field.input}
          ref={input}
          value={typed}
          maxLength={MAX_CODE_CHARS}
          placeholder="2345-6789-ABCD-EFGH"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="done"
          aria-invalid={mistyped || redeeming.error instanceof RefusedError || undefined}
          aria-describedby={told}
          onChange={(event) => change(event.target.value)}
        />
      </label>
      <Button type="submit" busy={redeeming.isPending} {...hold} disabled={typed.trim() === '' || hold.disabled}>
        兑换
      </Button>
      <div id={told} className={classes.told} aria-live="polite">
        {mistyped || redeeming.error ? (
          <p className={common.note} data-look="wrong">
            {mistyped ? CODE_MISTYPED : failureWords(redeeming.error)}
          </p>
        ) : redeeming.data ? (
          <Done redeemed={redeeming.data} />
        ) : (
          <p className={common.note}>优惠券兑换码、图书附的激活码都在这里兑换，不分大小写，横线可省略。</p>
        )}
      </div>
    </form>
  )
}

const Done = ({ redeemed }: { redeemed: Redeemed }) => (
  <p className={common.note} data-look="right">
    {redeemedText(redeemed)}
    {redeemed.kind === 'vip' && (
      <>
        {' '}
        <Link className={clsx(common.strong, classes.vip)} to="/user/my_vip">
          查看我的会员
        </Link>
      </>
    )}
  </p>
)
