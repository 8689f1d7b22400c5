import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type FormEvent, useState } from 'react'
import { call } from '#src/api/client.ts'
import { setAnswer } from '#src/api/query.ts'
import { MAX_REASON, order, type OrderDetail } from '#src/contract/order.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import common from '#src/ui/common.module.css'
import field from '#src/ui/Field.module.css'
import { orderQuery } from '../queries.ts'

interface RefundFormProps {
  order: Pick<OrderDetail, 'id' | 'shippedAt' | 'coupon'>
  onClose: () => void
}

/** 申请退款: with its reason; an operator decides. */
export function RefundForm({ order: { id, shippedAt, coupon }, onClose }: RefundFormProps) {
  const [reason, setReason] = useState('')
  const client = useQueryClient()
  const asking = useMutation({
    mutationFn: () => call(order.askRefund, { id, reason }, { loading: true }),
    onSuccess: (changed) => {
      setAnswer(client, orderQuery(id), changed)
      void client.invalidateQueries()
      onClose()
      window.scrollTo(0, 0)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    asking.mutate()
  }
  return (
    <Dialog title="申请退款" sheet onClose={onClose}>
      <form className={common.stack} onSubmit={submit}>
        <p className={common.note}>
          同意后款项原路退回，虚拟商品的权益同时收回。
          {coupon !== null && '用掉的优惠券不退回。'}
          {shippedAt !== null && '图书请先联系客服寄回，联系方式在页面底部。'}
        </p>
        <label className={field.field}>
          <span className={common.strong}>退款原因（必填）</span>
          <textarea
            className={clsx(field.input, field.area)}
            data-autofocus
            required
            maxLength={MAX_REASON}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        <Button type="submit" busy={asking.isPending} disabled={reason.trim() === ''}>
          提交申请
        </Button>
      </form>
    </Dialog>
  )
}
