import * as v from 'valibot'
import type { RefundStanding, Standing } from './pay.ts'
import type { WechatOptions } from './wechatCall.ts'

const Fen = v.pipe(v.number(), v.integer(), v.minValue(0))
const Moment = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/),
  v.transform(Date.parse),
  v.integer(),
)
const ours = { appid: v.string(), mchid: v.string(), out_trade_no: v.string() }

/** A payment as a query answers it and a notice tells it. Money that is not of here is not money to us. */
export const Transaction = v.variant('trade_state', [
  v.object({
    ...ours,
    trade_state: v.picklist(['SUCCESS', 'REFUND']),
    transaction_id: v.string(),
    success_time: Moment,
    amount: v.object({ total: Fen, currency: v.literal('CNY') }),
  }),
  v.object({ ...ours, trade_state: v.picklist(['NOTPAY', 'USERPAYING', 'CLOSED', 'REVOKED', 'PAYERROR']) }),
])
type Transaction = v.InferOutput<typeof Transaction>

/** Whether it is of our account at all: the key that signs is one for all merchants. */
export const isOurs = (tx: Transaction, { appid, mchid }: WechatOptions): boolean =>
  tx.appid === appid && tx.mchid === mchid

export function standingOf(tx: Transaction): Standing {
  switch (tx.trade_state) {
    case 'SUCCESS':
    // Paid, and given back since: what the refund came to is asked for itself.
    case 'REFUND':
      return { state: 'paid', amount: tx.amount.total, ref: tx.transaction_id, at: tx.success_time }
    case 'NOTPAY':
    case 'USERPAYING':
      return { state: 'open' }
    case 'CLOSED':
    case 'REVOKED':
    case 'PAYERROR':
      return { state: 'closed' }
  }
}

const REFUND_STATES = ['SUCCESS', 'PROCESSING', 'CLOSED', 'ABNORMAL'] as const
/** ABNORMAL: the student's card is gone. The money is with the merchant again, who must act by hand. */
const REFUND_STANDING = { SUCCESS: 'done', PROCESSING: 'pending', CLOSED: 'failed', ABNORMAL: 'failed' } as const
export const refundStandingOf = (state: (typeof REFUND_STATES)[number]): RefundStanding => REFUND_STANDING[state]

export const Refund = v.object({
  out_trade_no: v.string(),
  out_refund_no: v.string(),
  status: v.picklist(REFUND_STATES),
  amount: v.object({ refund: Fen, currency: v.optional(v.literal('CNY')) }),
})
export type Refund = v.InferOutput<typeof Refund>
/** In a notice the same is told in other words. */
export const RefundNotice = v.object({
  mchid: v.string(),
  out_trade_no: v.string(),
  refund_status: v.picklist(REFUND_STATES),
})
