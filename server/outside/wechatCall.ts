import type { KeyObject } from 'node:crypto'
import * as v from 'valibot'
import { once } from './once.ts'
import { CALL_MS, LATE, NOT_THEIRS, PayFault, UNREADABLE } from './payFault.ts'

export interface WechatOptions {
  mchid: string
  appid: string
  /** Of the merchant's certificate, which belongs to the private key. */
  serial: string
  privateKey: KeyObject
  /** 32 bytes: notices are encrypted with it. */
  apiV3Key: string
  /** Names the key of WeChat Pay that its answers and notices are signed with: 公钥 ID, or a platform certificate's serial. */
  publicKeyId: string
  publicKey: KeyObject
  /** Where students reach us. */
  publicUrl: string
  api: string
  callMs?: number
}

type Method = 'GET' | 'POST'
export type WechatCall = <const S extends v.GenericSchema>(
  method: Method,
  path: string,
  answer: S,
  body?: object,
) => Promise<v.InferOutput<S>>

const Refused = v.object({
  response: v.object({
    status: v.pipe(v.number(), v.minValue(300)),
    data: v.object({ code: v.string(), message: v.optional(v.string(), '') }),
  }),
})
const Failed = v.object({ code: v.string(), response: v.optional(v.object({ status: v.number() })) })

/** The library's error carries the request with our signature; only these words of it go on. */
function faultOf(path: string, error: unknown): PayFault {
  const refused = v.safeParse(Refused, error)
  if (refused.success) {
    const { code, message } = refused.output.response.data
    return new PayFault('wechat', path, code, message)
  }
  const failed = v.safeParse(Failed, error)
  if (!failed.success) return new PayFault('wechat', path, 'FAILED', error instanceof Error ? error.message : '')
  const { code, response } = failed.output
  if (code === 'ERR_CANCELED') return new PayFault('wechat', path, LATE)
  if (code.startsWith('EV3_RES_')) return new PayFault('wechat', path, NOT_THEIRS, code)
  return new PayFault('wechat', path, response ? `HTTP_${response.status}` : code)
}

/**
 * Calls of WeChat Pay v3, signed by us; what it answers is verified by the library. It verifies no refusals (HTTP 4xx), as
 * WeChat's own libraries do not: for those TLS must do, and none of them makes anything paid.
 */
export function wechatCaller(options: WechatOptions): WechatCall {
  const { mchid, serial, privateKey, publicKeyId, publicKey, api, callMs = CALL_MS } = options
  const client = once(async () => {
    const { Decorator } = await import('wechatpay-axios-plugin')
    return Decorator.jsonBased({ mchid, serial, privateKey, certs: { [publicKeyId]: publicKey } })
  })
  return async (method, path, answer, body) => {
    const axios = await client()
    const request = {
      method,
      url: path,
      baseURL: api,
      data: body,
      // With which of its keys WeChat is to sign its answer.
      headers: { 'Wechatpay-Serial': publicKeyId },
      maxRedirects: 0,
      maxContentLength: 1024 * 1024,
      signal: AbortSignal.timeout(callMs),
    }
    const response = await axios.request<unknown>(request).catch((error: unknown) => {
      throw faultOf(path, error)
    })
    const read = v.safeParse(answer, response.data)
    if (!read.success) throw new PayFault('wechat', path, UNREADABLE, v.getDotPath(read.issues[0]) ?? '')
    return read.output
  }
}
