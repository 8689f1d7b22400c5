import type { KeyObject } from 'node:crypto'
import type { AlipaySdk } from 'alipay-sdk'
import * as v from 'valibot'
import { toBeijing } from './beijing.ts'
import { once } from './once.ts'
import { CALL_MS, LATE, NOT_THEIRS, PayFault, UNREADABLE } from './payFault.ts'

export interface AlipayOptions {
  appId: string
  privateKey: KeyObject
  /** Alipay's own (支付宝公钥), not that of our private key. */
  alipayPublicKey: KeyObject
  /** This account takes the money: a notice of another one is not believed. Left out, any of this app's is. */
  sellerId?: string
  gateway: string
  /** What the merchant has signed for paying by a code at a computer: 订单码支付 or 当面付. */
  scanProduct: string
  /** Where students reach us. */
  publicUrl: string
  callMs?: number
}

/** The library looks for the foot of a PEM in its last line, which must not be empty. */
const pem = (key: KeyObject): string =>
  String(key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' })).trim()

/** Loaded when it is first needed; one for all calls. */
export function alipaySdk(options: AlipayOptions): () => Promise<AlipaySdk> {
  return once(async () => {
    const { AlipaySdk } = await import('alipay-sdk')
    return new AlipaySdk({
      appId: options.appId,
      privateKey: pem(options.privateKey),
      keyType: 'PKCS8',
      alipayPublicKey: pem(options.alipayPublicKey),
      gateway: options.gateway,
      timeout: options.callMs ?? CALL_MS,
      camelcase: false,
    })
  })
}

/** The library would write the time of this server's zone; Alipay reads it as Beijing's. */
export const stamped = (): { timestamp: string } => ({ timestamp: toBeijing(Date.now()) })

const Answered = v.object({
  code: v.string(),
  sub_code: v.optional(v.string(), ''),
  sub_msg: v.optional(v.string(), ''),
})

/** The library's error carries the whole answer, and the request beneath; only these words of it go on. */
function faultOf(method: string, error: unknown): PayFault {
  const message = error instanceof Error ? error.message : ''
  // Without any signature, as Alipay answers an app that it does not know, the library's check breaks down by itself.
  if (message.startsWith('验签失败') || error instanceof TypeError) return new PayFault('alipay', method, NOT_THEIRS)
  return /timeout/i.test(message)
    ? new PayFault('alipay', method, LATE)
    : new PayFault('alipay', method, 'FAILED', message)
}

export type AlipayCall = <const S extends v.GenericSchema>(
  method: string,
  content: object,
  answer: S,
  notifyUrl?: string,
) => Promise<v.InferOutput<S>>

/** Calls of Alipay's gateway, signed by us; what it answers is verified, refusals too, which the library does only when told. */
export function alipayCaller(options: AlipayOptions, sdk: () => Promise<AlipaySdk>): AlipayCall {
  const { callMs = CALL_MS } = options
  return async (method, content, answer, notifyUrl) => {
    const params = { ...stamped(), ...(notifyUrl && { notify_url: notifyUrl }), biz_content: content }
    const said = await inTime(callMs, async () => (await sdk()).exec(method, params, { validateSign: true })).catch(
      (error: unknown) => {
        throw faultOf(method, error)
      },
    )
    const { code, sub_code, sub_msg } = v.parse(Answered, said)
    if (code !== '10000') throw new PayFault('alipay', method, sub_code || code || UNREADABLE, sub_msg)
    const read = v.safeParse(answer, said)
    if (!read.success) throw new PayFault('alipay', method, UNREADABLE, v.getDotPath(read.issues[0]) ?? '')
    return read.output
  }
}

/** The library counts anew with each byte that comes. */
async function inTime<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('timeout')), ms)
  try {
    return await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
