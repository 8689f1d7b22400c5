import type { AlipaySdk } from 'alipay-sdk'
import * as v from 'valibot'
import type { AlipayOptions } from './alipayCall.ts'
import { Moment, standingOf, TRADE_STATES, Yuan } from './alipayData.ts'
import { BadNotice, type Notice } from './pay.ts'

/**
 * Alipay sends a notice again for 25 hours. What is older was kept by somebody. Within that time a repeat cannot be told from
 * Alipay's own and need not be: a notice says what is true of one payment for good, and what is done for it is done once.
 */
const OLDEST_MS = 26 * 3_600_000
/** How far ahead Alipay's clock may be of ours. */
const AHEAD_MS = 300_000

/** Of Alipay's many words those that we act on; whatever else is in the notice is signed along with them. */
const TradeNotice = v.object({
  notify_type: v.literal('trade_status_sync'),
  notify_time: Moment,
  app_id: v.string(),
  seller_id: v.optional(v.string()),
  charset: v.optional(v.pipe(v.string(), v.toLowerCase(), v.literal('utf-8'))),
  trans_currency: v.optional(v.literal('CNY')),
  out_trade_no: v.string(),
  trade_no: v.string(),
  trade_status: v.picklist(TRADE_STATES),
  total_amount: Yuan,
  gmt_payment: v.optional(Moment),
  gmt_refund: v.optional(v.string()),
})

/** Decoded once, as they were signed. A name that comes twice could be verified as one and read as the other. */
function fieldsOf(body: string): Record<string, string> {
  const pairs = [...new URLSearchParams(body)]
  const fields = Object.fromEntries(pairs)
  if (Object.keys(fields).length !== pairs.length) throw new BadNotice('alipay: a name comes twice')
  return fields
}

/** The library takes the kind of signature from the notice, whoever wrote it: only the one that Alipay uses is let through. */
function isSigned(sdk: AlipaySdk, fields: Record<string, string>): boolean {
  if (fields.sign_type !== 'RSA2') return false
  // Not `checkNotifySign`, which decodes a second time: a title with a % in it would be refused.
  return sdk.checkNotifySignV2(fields)
}

export async function readAlipayNotice(
  options: AlipayOptions,
  sdk: AlipaySdk,
  body: string,
  now: number,
): Promise<Notice> {
  const fields = fieldsOf(body)
  if (!isSigned(sdk, fields)) throw new BadNotice('alipay: wrong signature')
  const read = v.safeParse(TradeNotice, fields)
  if (!read.success) throw new BadNotice(`alipay: not understood: ${v.getDotPath(read.issues[0])}`)
  const notice = read.output
  if (notice.app_id !== options.appId) throw new BadNotice('alipay: of another app')
  if (options.sellerId !== undefined && notice.seller_id !== options.sellerId)
    throw new BadNotice('alipay: of another seller')
  if (notice.notify_time < now - OLDEST_MS || notice.notify_time > now + AHEAD_MS)
    throw new BadNotice('alipay: too old')
  // Of a part we have heard in the answer to our call, or it was given back by hand and is no refund of ours.
  if (notice.gmt_refund && notice.trade_status === 'TRADE_CLOSED')
    return { id: notice.out_trade_no, kind: 'refund', standing: 'done' }
  const standing = standingOf({
    state: notice.trade_status,
    amount: notice.total_amount,
    ref: notice.trade_no,
    at: notice.gmt_payment,
  })
  if (!standing) throw new BadNotice('alipay: paid without a time')
  return { id: notice.out_trade_no, kind: 'payment', standing }
}
