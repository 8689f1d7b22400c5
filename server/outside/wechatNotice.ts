import * as v from 'valibot'
import { BadNotice, type Notice } from './pay.ts'
import type { WechatOptions } from './wechatCall.ts'
import { isOurs, refundStandingOf, RefundNotice, standingOf, Transaction } from './wechatData.ts'

/** A notice that is older was kept by somebody; WeChat signs anew what it sends again. */
const FRESH_S = 300

const parsed = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): unknown => {
    try {
      return JSON.parse(dataset.value)
    } catch {
      addIssue({ message: 'not JSON' })
      return NEVER
    }
  }),
)
const Headers = v.object({
  'wechatpay-timestamp': v.pipe(v.string(), v.regex(/^\d{1,12}$/)),
  'wechatpay-nonce': v.pipe(v.string(), v.minLength(1)),
  'wechatpay-signature': v.pipe(v.string(), v.minLength(1)),
  'wechatpay-serial': v.string(),
})
const Envelope = v.pipe(
  parsed,
  v.object({
    resource: v.object({
      algorithm: v.literal('AEAD_AES_256_GCM'),
      original_type: v.picklist(['transaction', 'refund']),
      ciphertext: v.string(),
      nonce: v.string(),
      associated_data: v.optional(v.string(), ''),
    }),
  }),
)
type Resource = v.InferOutput<typeof Envelope>['resource']

function take<const S extends v.GenericSchema>(schema: S, value: unknown, what: string): v.InferOutput<S> {
  const read = v.safeParse(schema, value)
  if (!read.success) throw new BadNotice(`wechat: ${what}`)
  return read.output
}

/** Reads what WeChat Pay tells by itself: signed with its key, of now, encrypted with ours, and of our account. */
export async function readWechatNotice(
  options: WechatOptions,
  headers: Record<string, string | undefined>,
  body: string,
  now: number,
): Promise<Notice> {
  const { Aes, Formatter, Rsa } = await import('wechatpay-axios-plugin')
  const given = take(Headers, headers, 'signature headers are missing')
  const at = given['wechatpay-timestamp']
  if (Math.abs(now / 1000 - Number(at)) > FRESH_S) throw new BadNotice('wechat: too old')
  if (given['wechatpay-serial'] !== options.publicKeyId) throw new BadNotice('wechat: signed with an unknown key')
  const signed = Formatter.response(at, given['wechatpay-nonce'], body)
  if (!Rsa.verify(signed, given['wechatpay-signature'], options.publicKey))
    throw new BadNotice('wechat: wrong signature')
  const { resource } = take(Envelope, body, 'not understood')
  return noticeOf(options, resource.original_type, decrypted(Aes.AesGcm.decrypt, resource, options.apiV3Key))
}

type Decrypt = (ciphertext: string, key: string, nonce: string, associated: string) => string

function decrypted(decrypt: Decrypt, { ciphertext, nonce, associated_data }: Resource, key: string): string {
  try {
    return decrypt(ciphertext, key, nonce, associated_data)
  } catch {
    throw new BadNotice('wechat: not encrypted with our key')
  }
}

function noticeOf(options: WechatOptions, type: Resource['original_type'], text: string): Notice {
  if (type === 'refund') {
    const refund = take(v.pipe(parsed, RefundNotice), text, 'refund not understood')
    if (refund.mchid !== options.mchid) throw new BadNotice('wechat: of another merchant')
    return { id: refund.out_trade_no, kind: 'refund', standing: refundStandingOf(refund.refund_status) }
  }
  const payment = take(v.pipe(parsed, Transaction), text, 'payment not understood')
  if (!isOurs(payment, options)) throw new BadNotice('wechat: of another merchant or app')
  return { id: payment.out_trade_no, kind: 'payment', standing: standingOf(payment) }
}
