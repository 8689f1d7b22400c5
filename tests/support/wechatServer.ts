import { createCipheriv, randomBytes } from 'node:crypto'
import type { WechatOptions } from '#server/outside/wechatCall.ts'
import { type Asked, isSignedBy, type KeyPair, listen, newKeys, type Said, sign } from './payKeys.ts'

/** How the stand-in departs from what WeChat does, until told otherwise. */
export type WechatFault = 'silent' | 'altered' | 'stale' | 'unsigned' | 'otherKey' | 'unreachable' | 'anotherPayment'

interface Payment {
  way: 'native' | 'h5'
  /** All that must be the same when it is begun again: only the student's address may change. */
  words: string
  total: number
  expiresAt: number
  state: 'NOTPAY' | 'SUCCESS' | 'CLOSED' | 'REFUND'
  ref?: string
  paidAt?: string
}
interface Refund {
  id: string
  words: string
  refund: number
  total: number
  status: 'SUCCESS' | 'PROCESSING' | 'ABNORMAL' | 'CLOSED'
}
interface Body {
  out_trade_no: string
  appid?: string
  mchid?: string
  amount: { total: number; refund: number; currency: string }
  time_expire: string
  notify_url: string
  out_refund_no: string
  description?: string
  reason?: string
  scene_info?: { payer_client_ip?: string; h5_info?: { type?: string } }
}
/** What a forger changes of a notice. */
export interface NoticeChanges {
  key?: KeyPair
  serial?: string
  at?: number
  apiV3Key?: string
  resource?: object
  originalType?: string
}

const refusal = (status: number, code: string, message = ''): Said => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ code, message }),
})
const ok = (body: object | null): Said => ({
  status: body ? 200 : 204,
  headers: { 'content-type': 'application/json' },
  body: body ? JSON.stringify(body) : '',
})

/**
 * WeChat Pay v3 with one merchant: checks the signature of each request with the merchant's public key, keeps payments and
 * refunds, signs its answers and notices with keys of its own.
 */
export class WechatServer {
  readonly merchant = newKeys()
  readonly own = newKeys()
  readonly other = newKeys()
  readonly asked: Asked[] = []
  fault: WechatFault | undefined
  #payments = new Map<string, Payment>()
  #refunds = new Map<string, Refund>()
  #nonces = new Set<string>()
  #listening!: Awaited<ReturnType<typeof listen>>

  static async start(): Promise<WechatServer> {
    const server = new WechatServer()
    server.#listening = await listen((asked) => server.#take(asked))
    return server
  }
  stop = () => this.#listening.stop()

  /** What the operator would enter. */
  get options(): WechatOptions {
    return {
      mchid: '1900000109',
      appid: 'wxd678efh567hg6787',
      serial: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
      privateKey: this.merchant.privateKey,
      apiV3Key: 'abcdefghijklmnopqrstuvwxyz012345',
      publicKeyId: 'PUB_KEY_ID_0119000001092024112600',
      publicKey: this.own.publicKey,
      publicUrl: 'https://lijian.test',
      api: this.#listening.url,
    }
  }

  /** A student pays on their phone. */
  pay(id: string, at = '2026-11-22T18:30:05+08:00'): void {
    const payment = this.#payment(id)
    if (payment.state !== 'NOTPAY' || Date.now() >= payment.expiresAt) throw new Error(`${id} cannot be paid`)
    Object.assign(payment, { state: 'SUCCESS', ref: `4200001${id}`, paidAt: at })
  }
  /** What becomes of the next refund; SUCCESS unless told. */
  nextRefund: Refund['status'] = 'SUCCESS'
  refundBecomes(refundId: string, status: Refund['status']): void {
    const refund = this.#refunds.get(refundId)
    if (!refund) throw new Error(`no refund ${refundId}`)
    refund.status = status
  }
  /** What was sent to begin it. */
  begun(): Body {
    return JSON.parse(this.asked.findLast(({ method }) => method === 'POST')?.body ?? '{}')
  }

  notice(id: string, changes: NoticeChanges = {}) {
    return this.#notice('transaction', { ...this.#transaction(id), ...changes.resource }, changes)
  }
  refundNotice(refundId: string, changes: NoticeChanges = {}) {
    const { mchid } = this.options
    const refund = this.#refunds.get(refundId)
    const told = { mchid, out_trade_no: refund?.id, out_refund_no: refundId, refund_status: refund?.status }
    return this.#notice('refund', { ...told, amount: { total: refund?.total, refund: refund?.refund } }, changes)
  }

  #notice(type: string, plain: object, changes: NoticeChanges): { headers: Record<string, string>; body: string } {
    const nonce = randomBytes(6).toString('hex')
    const cipher = createCipheriv('aes-256-gcm', changes.apiV3Key ?? this.options.apiV3Key, nonce)
    cipher.setAAD(Buffer.from(type))
    const sealed = [cipher.update(JSON.stringify(plain)), cipher.final(), cipher.getAuthTag()]
    const resource = {
      algorithm: 'AEAD_AES_256_GCM',
      original_type: changes.originalType ?? type,
      ciphertext: Buffer.concat(sealed).toString('base64'),
      associated_data: type,
      nonce,
    }
    const body = JSON.stringify({ id: randomBytes(8).toString('hex'), resource_type: 'encrypt-resource', resource })
    const headers = this.#signed(body, changes.at ?? Date.now(), changes.key ?? this.own)
    return { body, headers: { ...headers, 'wechatpay-serial': changes.serial ?? this.options.publicKeyId } }
  }

  #signed(body: string, at: number, key: KeyPair): Record<string, string> {
    const timestamp = String(Math.floor(at / 1000))
    const nonce = randomBytes(16).toString('hex')
    return {
      'wechatpay-timestamp': timestamp,
      'wechatpay-nonce': nonce,
      'wechatpay-serial': this.options.publicKeyId,
      'wechatpay-signature': sign(`${timestamp}\n${nonce}\n${body}\n`, key.privateKey),
    }
  }

  #take(asked: Asked): Said | null {
    this.asked.push(asked)
    if (this.fault === 'silent') return null
    if (this.fault === 'unreachable') return { status: 502, body: '<html>Bad Gateway</html>' }
    const said = this.#isMerchant(asked) ? this.#answer(asked) : refusal(401, 'SIGN_ERROR', '签名错误')
    // Refusals are not signed, as WeChat does not promise that they are.
    if (said.status >= 300 || this.fault === 'unsigned') return said
    const at = this.fault === 'stale' ? Date.now() - 600_000 : Date.now()
    const signed = this.#signed(said.body, at, this.fault === 'otherKey' ? this.other : this.own)
    const body = this.fault === 'altered' ? said.body.replace(/\d(?=[,}"])/, '9').concat(' ') : said.body
    return { status: said.status, headers: { ...said.headers, ...signed }, body }
  }

  #isMerchant({ method, path, headers, body }: Asked): boolean {
    const { mchid, serial } = this.options
    const parts = Object.fromEntries(
      [...(headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    )
    const { timestamp = '', nonce_str: nonce = '', signature = '' } = parts
    if (parts.mchid !== mchid || parts.serial_no !== serial || this.#nonces.has(nonce)) return false
    this.#nonces.add(nonce)
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
    if (headers['wechatpay-serial'] !== this.options.publicKeyId) return false
    const text = `${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`
    return isSignedBy(text, signature, this.merchant.publicKey)
  }

  #answer({ method, path, body }: Asked): Said {
    const [way, id = ''] = /^\/v3\/(?:pay\/transactions|refund\/domestic)\/(native|h5|out-trade-no|refunds)(?:\/(\w+))?/
      .exec(path)
      ?.slice(1) ?? ['']
    const sent = (body ? JSON.parse(body) : {}) as Body
    if (way === 'native' || way === 'h5') return this.#begin(way, sent)
    if (way === 'refunds') return method === 'POST' ? this.#refund(sent) : this.#refundFound(id)
    if (way !== 'out-trade-no') return refusal(404, 'NOT_FOUND')
    if (path.endsWith('/close')) return this.#close(id, sent)
    if (!path.endsWith(`?mchid=${this.options.mchid}`)) return refusal(400, 'PARAM_ERROR')
    return this.#payments.has(id) ? ok(this.#transaction(id)) : refusal(404, 'ORDER_NOT_EXIST', '订单不存在')
  }

  #begin(way: Payment['way'], sent: Body): Said {
    const { appid, mchid } = this.options
    const { scene_info: scene, ...rest } = sent
    const h5 = scene?.payer_client_ip && scene.h5_info?.type === 'Wap'
    if (sent.appid !== appid || sent.mchid !== mchid || (way === 'h5' && !h5)) return refusal(400, 'PARAM_ERROR')
    if (Buffer.byteLength(sent.description ?? '') > 127 || !sent.notify_url.startsWith('https://'))
      return refusal(400, 'PARAM_ERROR')
    const words = JSON.stringify(rest)
    const known = this.#payments.get(sent.out_trade_no)
    if (known && known.state === 'CLOSED') return refusal(400, 'ORDER_CLOSED', '订单已关闭')
    if (known && known.state !== 'NOTPAY') return refusal(400, 'ORDERPAID', '该订单已支付')
    if (known && (known.way !== way || known.words !== words))
      return refusal(403, 'OUT_TRADE_NO_USED', '商户订单号重复')
    const { total } = sent.amount
    const expiresAt = Date.parse(sent.time_expire)
    this.#payments.set(sent.out_trade_no, { way, words, total, expiresAt, state: 'NOTPAY' })
    return way === 'h5'
      ? ok({ h5_url: `https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=${sent.out_trade_no}&package=1` })
      : ok({ code_url: `weixin://wxpay/bizpayurl?pr=${sent.out_trade_no}` })
  }

  #close(id: string, { mchid }: Body): Said {
    if (mchid !== this.options.mchid) return refusal(400, 'PARAM_ERROR')
    const payment = this.#payments.get(id)
    if (!payment) return refusal(404, 'ORDER_NOT_EXIST')
    if (payment.state === 'CLOSED') return refusal(400, 'ORDER_CLOSED')
    if (payment.state !== 'NOTPAY') return refusal(400, 'ORDERPAID')
    payment.state = 'CLOSED'
    return ok(null)
  }

  #refund(sent: Body): Said {
    const payment = this.#payments.get(sent.out_trade_no)
    if (!payment) return refusal(404, 'RESOURCE_NOT_EXISTS')
    const words = JSON.stringify(sent)
    const known = this.#refunds.get(sent.out_refund_no)
    if (known) return known.words === words ? this.#refundFound(sent.out_refund_no) : refusal(400, 'INVALID_REQUEST')
    // It may go back in parts.
    const given = [...this.#refunds.values()].filter(({ id }) => id === sent.out_trade_no)
    const sum = given.reduce((all, { refund }) => all + refund, sent.amount.refund)
    const paid = payment.state === 'SUCCESS' || payment.state === 'REFUND'
    if (!paid || sent.amount.total !== payment.total || sum > payment.total)
      return refusal(400, 'INVALID_REQUEST', '订单状态错误')
    if (Buffer.byteLength(sent.reason ?? '') > 80) return refusal(400, 'PARAM_ERROR')
    payment.state = 'REFUND'
    const { refund, total } = sent.amount
    this.#refunds.set(sent.out_refund_no, { id: sent.out_trade_no, words, refund, total, status: this.nextRefund })
    return this.#refundFound(sent.out_refund_no)
  }

  #refundFound(refundId: string): Said {
    const found = this.#refunds.get(refundId)
    if (!found) return refusal(404, 'RESOURCE_NOT_EXISTS')
    const { id, refund, total, status } = found
    const amount = { refund, total, currency: 'CNY' }
    return ok({ refund_id: `5030${refundId}`, out_trade_no: id, out_refund_no: refundId, status, amount })
  }

  #payment(id: string): Payment {
    const payment = this.#payments.get(id)
    if (!payment) throw new Error(`no payment ${id}`)
    return payment
  }

  #transaction(id: string): object {
    const { appid, mchid } = this.options
    const { state, total, ref, paidAt, expiresAt } = this.#payment(id)
    const trade_state = state === 'NOTPAY' && Date.now() >= expiresAt ? 'CLOSED' : state
    const amount = { total, currency: 'CNY', payer_total: total, payer_currency: 'CNY' }
    const out_trade_no = this.fault === 'anotherPayment' ? `${id}0` : id
    const paid = paidAt && { transaction_id: ref, success_time: paidAt, amount }
    return { appid, mchid, out_trade_no, trade_state, trade_state_desc: '…', ...paid }
  }
}
