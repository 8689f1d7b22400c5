import * as v from 'valibot'
import { type AlipayCall, alipayCaller, type AlipayOptions, alipaySdk, stamped } from './alipayCall.ts'
import { Moment, standingOf, TRADE_STATES, Yuan } from './alipayData.ts'
import { readAlipayNotice } from './alipayNotice.ts'
import { toBeijing } from './beijing.ts'
import type { PayProvider, PayRequest, PayWay, Standing } from './pay.ts'
import { NOT_THEIRS, PayFault, UNREADABLE } from './payFault.ts'
import { toYuan } from './yuan.ts'

const PAID = 'ACQ.TRADE_HAS_SUCCESS'
/** Alipay knows a trade once somebody has opened its code or its page, not before. */
const UNKNOWN = 'ACQ.TRADE_NOT_EXIST'
/** Paid or closed already, or nobody began to pay. */
const NOTHING_TO_CLOSE = new Set([
  UNKNOWN,
  'ACQ.TRADE_STATUS_ERROR',
  'ACQ.REASON_TRADE_STATUS_INVALID',
  'ACQ.REASON_ILLEGAL_STATUS',
])
/** A refund that Alipay will not make; asked again it says the same. */
const NEVER_REFUNDED = new Set([
  UNKNOWN,
  'ACQ.TRADE_HAS_FINISHED',
  'ACQ.TRADE_NOT_ALLOW_REFUND',
  'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL',
  'ACQ.REASON_TRADE_REFUND_FEE_ERR',
  'ACQ.REFUND_FEE_ERROR',
])

const Found = v.object({
  out_trade_no: v.string(),
  trade_no: v.string(),
  trade_status: v.picklist(TRADE_STATES),
  total_amount: Yuan,
  send_pay_date: v.optional(Moment),
})
const Coded = v.object({ out_trade_no: v.string(), qr_code: v.string() })
const Refunded = v.object({ out_trade_no: v.string(), fund_change: v.picklist(['Y', 'N']) })
const RefundFound = v.object({ out_trade_no: v.optional(v.string()), refund_status: v.optional(v.string()) })

const codeOf = (error: unknown): string => (error instanceof PayFault ? error.code : '')

export function alipay(options: AlipayOptions): PayProvider {
  const sdk = alipaySdk(options)
  const call = alipayCaller(options, sdk)
  return {
    name: 'alipay',
    begin: beginner(options, sdk, call),
    find: (id) => find(call, id),
    async close(id) {
      await call('alipay.trade.close', { out_trade_no: id }, v.unknown()).catch((error: unknown) => {
        if (!NOTHING_TO_CLOSE.has(codeOf(error))) throw error
      })
    },
    ...refunds(call),
    readNotice: async (_, body, now) => readAlipayNotice(options, await sdk(), body, now),
    reply: (taken) => ({ status: 200, type: 'text/plain; charset=utf-8', body: taken ? 'success' : 'fail' }),
  }
}

function beginner(options: AlipayOptions, sdk: ReturnType<typeof alipaySdk>, call: AlipayCall): PayProvider['begin'] {
  const closing = new URL('/auto_close', options.publicUrl).href
  const notifyUrl = new URL('/pay/notify/alipay', options.publicUrl).href
  const order = ({ id, amount, title, expiresAt }: PayRequest) => ({
    out_trade_no: id,
    total_amount: toYuan(amount),
    // Alipay refuses these three in a title.
    subject: title.replaceAll(/[/=&]/g, ' '),
    time_expire: toBeijing(expiresAt),
  })
  const scan = async (request: PayRequest): Promise<PayWay> => {
    const content = { ...order(request), product_code: options.scanProduct }
    const { out_trade_no, qr_code } = await call('alipay.trade.precreate', content, Coded, notifyUrl)
    if (out_trade_no !== request.id) throw new PayFault('alipay', 'begin', NOT_THEIRS)
    return { kind: 'scan', text: qr_code }
  }
  /** Only signed here, and asked of nobody: Alipay begins the trade when the student comes with it. */
  const go = async (request: PayRequest): Promise<PayWay> => {
    const content = { ...order(request), product_code: 'QUICK_WAP_WAY', quit_url: closing }
    const params = { ...stamped(), notify_url: notifyUrl, return_url: closing, biz_content: content }
    return { kind: 'go', url: (await sdk()).pageExecute('alipay.trade.wap.pay', 'GET', params) }
  }
  return async (request) => {
    if (request.device === 'phone') return go(request)
    try {
      return await scan(request)
    } catch (error) {
      // It was paid a moment ago: the way leads to where the student would come back to.
      if (codeOf(error) === PAID) return { kind: 'go', url: closing }
      throw error
    }
  }
}

async function find(call: AlipayCall, id: string): Promise<Standing> {
  const found = await call('alipay.trade.query', { out_trade_no: id }, Found).catch((error: unknown) => {
    if (codeOf(error) === UNKNOWN) return null
    throw error
  })
  if (!found) return { state: 'open' }
  if (found.out_trade_no !== id) throw new PayFault('alipay', 'find', NOT_THEIRS)
  const { trade_status: state, total_amount: amount, trade_no: ref, send_pay_date: at } = found
  const standing = standingOf({ state, amount, ref, at })
  if (!standing) throw new PayFault('alipay', 'find', UNREADABLE, 'send_pay_date')
  return standing
}

function refunds(call: AlipayCall): Pick<PayProvider, 'refund' | 'findRefund'> {
  const findRefund: PayProvider['findRefund'] = async ({ id, refundId }) => {
    const content = { out_trade_no: id, out_request_no: refundId }
    const found = await call('alipay.trade.fastpay.refund.query', content, RefundFound).catch((error: unknown) => {
      if (codeOf(error) === UNKNOWN) return null
      throw error
    })
    // Alipay says nothing of a refund that it has not made.
    return found?.refund_status === 'REFUND_SUCCESS' ? 'done' : 'failed'
  }
  return {
    findRefund,
    async refund({ id, refundId, amount, reason }) {
      const content = {
        out_trade_no: id,
        out_request_no: refundId,
        refund_amount: toYuan(amount),
        refund_reason: reason.slice(0, 200) || undefined,
      }
      const answer = await call('alipay.trade.refund', content, Refunded).catch((error: unknown) => {
        if (NEVER_REFUNDED.has(codeOf(error))) return null
        throw error
      })
      if (answer?.fund_change === 'Y') return 'done'
      // No money moved by this call, which is said of a repeat too.
      const standing = await findRefund({ id, refundId })
      return answer && standing === 'failed' ? 'pending' : standing
    },
  }
}
