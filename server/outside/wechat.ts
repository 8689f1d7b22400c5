import * as v from 'valibot'
import { toBeijing } from './beijing.ts'
import type { PayProvider, PayRequest, PayWay } from './pay.ts'
import { NOT_THEIRS, PayFault } from './payFault.ts'
import { type WechatCall, wechatCaller, type WechatOptions } from './wechatCall.ts'
import { isOurs, Refund, refundStandingOf, standingOf, Transaction } from './wechatData.ts'
import { readWechatNotice } from './wechatNotice.ts'

const PAYMENTS = '/v3/pay/transactions'
const REFUNDS = '/v3/refund/domestic/refunds'
/** Bytes, which is what WeChat counts. */
const TITLE_MAX = 127
const REASON_MAX = 80

/** WeChat's words for what it will not do with a payment as that one stands. */
const PAID = 'ORDERPAID'
const UNKNOWN = new Set(['ORDER_NOT_EXIST', 'ORDERNOTEXIST'])
const NOTHING_TO_CLOSE = new Set([...UNKNOWN, PAID, 'ORDER_CLOSED', 'ORDERCLOSED'])
/** The same number with other words. Of what we send only the way of paying ever differs. */
const BEGUN_OTHERWISE = new Set(['OUT_TRADE_NO_USED', 'INVALID_REQUEST'])
const NO_REFUND = new Set(['RESOURCE_NOT_EXISTS'])
/** A refund that WeChat will not make; asked again it says the same. */
const NEVER_REFUNDED = new Set(['RESOURCE_NOT_EXISTS', 'USER_ACCOUNT_ABNORMAL'])

const codeOf = (error: unknown): string => (error instanceof PayFault ? error.code : '')
/** @returns what `call` does, or `otherwise` where WeChat refuses with one of these words. */
const unless = async <T>(call: Promise<T>, codes: ReadonlySet<string>, otherwise: T): Promise<T> =>
  call.catch((error: unknown) => {
    if (codes.has(codeOf(error))) return otherwise
    throw error
  })

/** As many whole characters as fit. */
function clip(text: string, bytes: number): string {
  let kept = ''
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) break
    kept += character
  }
  return kept
}

export function wechatPay(options: WechatOptions): PayProvider {
  const call = wechatCaller(options)
  const refund = refunds(options, call)
  const find = async (id: string) => {
    const query = call('GET', `${PAYMENTS}/out-trade-no/${id}?mchid=${options.mchid}`, Transaction)
    const found = await unless(query, UNKNOWN, null)
    if (!found) return { state: 'open' } as const
    if (!isOurs(found, options) || found.out_trade_no !== id) throw new PayFault('wechat', 'find', NOT_THEIRS)
    return standingOf(found)
  }
  return {
    name: 'wechat',
    begin: beginner(options, call),
    find,
    async close(id) {
      const closing = call('POST', `${PAYMENTS}/out-trade-no/${id}/close`, v.unknown(), { mchid: options.mchid })
      await unless(closing, NOTHING_TO_CLOSE, null)
    },
    ...refund,
    readNotice: (headers, body, now) => readWechatNotice(options, headers, body, now),
    reply: (taken) => ({
      status: taken ? 200 : 500,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify(taken ? { code: 'SUCCESS', message: '成功' } : { code: 'FAIL', message: '失败' }),
    }),
  }
}

function beginner(options: WechatOptions, call: WechatCall): PayProvider['begin'] {
  const closing = new URL('/auto_close', options.publicUrl).href
  const order = ({ id, amount, title, expiresAt }: PayRequest) => ({
    appid: options.appid,
    mchid: options.mchid,
    description: clip(title, TITLE_MAX),
    out_trade_no: id,
    time_expire: `${toBeijing(expiresAt).replace(' ', 'T')}+08:00`,
    notify_url: new URL('/pay/notify/wechat', options.publicUrl).href,
    amount: { total: amount, currency: 'CNY' },
  })
  const scan = async (request: PayRequest): Promise<PayWay> => {
    const { code_url } = await call('POST', `${PAYMENTS}/native`, v.object({ code_url: v.string() }), order(request))
    return { kind: 'scan', text: code_url }
  }
  const go = async (request: PayRequest): Promise<PayWay> => {
    const scene = { payer_client_ip: request.ip.replace(/^::ffff:/, ''), h5_info: { type: 'Wap' } }
    const body = { ...order(request), scene_info: scene }
    const { h5_url } = await call('POST', `${PAYMENTS}/h5`, v.object({ h5_url: v.pipe(v.string(), v.url()) }), body)
    return { kind: 'go', url: `${h5_url}&redirect_url=${encodeURIComponent(closing)}` }
  }
  return async (request) => {
    try {
      return await (request.device === 'phone' ? go(request) : scan(request))
    } catch (error) {
      // It was paid a moment ago: the way leads to where the student would come back to.
      if (codeOf(error) === PAID) return { kind: 'go', url: closing }
      // Begun at a computer, it can be paid by its code alone, which a phone can show as well.
      if (request.device === 'phone' && BEGUN_OTHERWISE.has(codeOf(error))) return await scan(request)
      throw error
    }
  }
}

function refunds(options: WechatOptions, call: WechatCall): Pick<PayProvider, 'refund' | 'findRefund'> {
  /** @param none which refusals mean that there is no such refund */
  const settled = async (answer: Promise<Refund>, id: string, refundId: string, none: ReadonlySet<string>) => {
    const refund = await unless(answer, none, null)
    if (!refund) return 'failed'
    if (refund.out_trade_no === id && refund.out_refund_no === refundId) return refundStandingOf(refund.status)
    throw new PayFault('wechat', 'refund', NOT_THEIRS)
  }
  const findRefund: PayProvider['findRefund'] = ({ id, refundId }) =>
    settled(call('GET', `${REFUNDS}/${refundId}`, Refund), id, refundId, NO_REFUND)
  return {
    findRefund,
    async refund({ id, refundId, amount, total, reason }) {
      const body = {
        out_trade_no: id,
        out_refund_no: refundId,
        reason: clip(reason, REASON_MAX) || undefined,
        notify_url: new URL('/pay/notify/wechat', options.publicUrl).href,
        amount: { refund: amount, total, currency: 'CNY' },
      }
      try {
        return await settled(call('POST', REFUNDS, Refund, body), id, refundId, NEVER_REFUNDED)
      } catch (error) {
        // Against a rule, or asked before in other words: then it may be on its way.
        if (codeOf(error) === 'INVALID_REQUEST') return findRefund({ id, refundId })
        throw error
      }
    },
  }
}
