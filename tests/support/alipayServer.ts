import { toBeijing } from '#server/outside/beijing.ts'
import type { AlipayOptions } from '#server/outside/alipayCall.ts'
import { type Asked, isSignedBy, type KeyPair, listen, newKeys, type Said, sign } from './payKeys.ts'

/** How the stand-in departs from what Alipay does, until told otherwise. */
export type AlipayFault = 'silent' | 'altered' | 'unsigned' | 'otherKey' | 'unreachable' | 'anotherPayment'

interface Trade {
  status: 'WAIT_BUYER_PAY' | 'TRADE_SUCCESS' | 'TRADE_FINISHED' | 'TRADE_CLOSED'
  ref: string
  paidAt?: string
  /** Yuan by the merchant's number. */
  refunds: Map<string, string>
}
interface Content {
  out_trade_no: string
  total_amount: string
  subject: string
  time_expire: string
  product_code: string
  out_request_no: string
  refund_amount: string
}
type Fields = Record<string, string>
/** This account takes the money. */
export const SELLER = '2088102146225135'
/** What a forger changes of a notice. */
export interface NoticeChanges {
  key?: KeyPair
  fields?: Fields
  without?: string
  /** After it was signed. */
  after?: Fields
}

const fen = (yuan: string) => Math.round(Number(yuan) * 100)
/** As Alipay's documents say: sorted by name, without `sign`, and in a notice without `sign_type`. */
const signText = (fields: Fields, ...without: string[]) =>
  Object.keys(fields)
    .filter((name) => name !== 'sign' && !without.includes(name))
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')

/**
 * Alipay's gateway with one merchant: checks the signature of each request with the merchant's public key, keeps trades, which
 * begin only when a student opens them, signs its answers and notices with keys of its own.
 */
export class AlipayServer {
  readonly merchant = newKeys()
  readonly own = newKeys()
  readonly other = newKeys()
  readonly asked: { method: string; params: Fields; content: Content }[] = []
  fault: AlipayFault | undefined
  #orders = new Map<string, Content>()
  #trades = new Map<string, Trade>()
  #listening!: Awaited<ReturnType<typeof listen>>

  static async start(): Promise<AlipayServer> {
    const server = new AlipayServer()
    server.#listening = await listen((asked) => server.#take(asked))
    return server
  }
  stop = () => this.#listening.stop()

  /** What the operator would enter. */
  get options(): AlipayOptions {
    return {
      appId: '2021000000000001',
      privateKey: this.merchant.privateKey,
      alipayPublicKey: this.own.publicKey,
      gateway: `${this.#listening.url}/gateway.do`,
      scanProduct: 'QR_CODE_OFFLINE',
      publicUrl: 'https://lijian.test',
    }
  }

  /** A student scans the code: now there is a trade. */
  open(id: string): Trade {
    const order = this.#orders.get(id)
    if (!order) throw new Error(`nobody began ${id}`)
    const known = this.#trades.get(id)
    if (!known && toBeijing(Date.now()) >= order.time_expire) throw new Error(`${id} is too old to be opened`)
    const trade = known ?? { status: 'WAIT_BUYER_PAY', ref: `2026112222001${id}`, refunds: new Map() }
    this.#trades.set(id, trade)
    return trade
  }
  pay(id: string, at = '2026-11-22 18:30:05'): void {
    const trade = this.open(id)
    if (trade.status !== 'WAIT_BUYER_PAY') throw new Error(`${id} cannot be paid`)
    Object.assign(trade, { status: 'TRADE_SUCCESS', paidAt: at })
  }
  /** The next refund is taken and not made yet. */
  refundsLater = false
  /** The time for giving it back is over. */
  finish(id: string): void {
    this.open(id).status = 'TRADE_FINISHED'
  }

  notice(id: string, changes: NoticeChanges = {}): string {
    const { status, ref, paidAt, refunds } = this.open(id)
    const [request, refunded] = [...refunds].at(-1) ?? []
    const fields: Fields = {
      notify_type: 'trade_status_sync',
      notify_id: `ac05099524730693a8b330c5ecf72da9${id}`,
      notify_time: toBeijing(Date.now()),
      app_id: this.options.appId,
      seller_id: SELLER,
      charset: 'utf-8',
      version: '1.0',
      out_trade_no: id,
      trade_no: ref,
      trade_status: status,
      total_amount: this.#orders.get(id)?.total_amount ?? '',
      subject: this.#orders.get(id)?.subject ?? '',
      fund_bill_list: '[{"amount":"0.10","fundChannel":"ALIPAYACCOUNT"}]',
      ...(paidAt && { gmt_payment: paidAt }),
      ...(request && { out_biz_no: request, refund_fee: refunded ?? '', gmt_refund: '2026-11-22 19:00:00.123' }),
      ...changes.fields,
    }
    if (changes.without) delete fields[changes.without]
    const signature = sign(signText(fields, 'sign_type'), (changes.key ?? this.own).privateKey)
    return new URLSearchParams({ sign_type: 'RSA2', ...fields, sign: signature, ...changes.after }).toString()
  }

  #take({ path, body }: Asked): Said | null {
    const url = new URL(path, 'http://gateway')
    const params = Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)])
    const method = params.method ?? ''
    const content = JSON.parse(params.biz_content ?? '{}') as Content
    this.asked.push({ method, params, content })
    if (this.fault === 'silent') return null
    if (this.fault === 'unreachable') return { status: 502, body: '<html>Bad Gateway</html>' }
    const strange = { code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.invalid-signature' }
    if (params.app_id !== this.options.appId) return { status: 200, body: JSON.stringify({ error_response: strange }) }
    if (!this.#isSigned(params)) return this.#said(method, JSON.stringify(strange))
    if (method === 'alipay.trade.wap.pay') return { status: 200, body: this.#page(content) }
    return this.#said(method, JSON.stringify(this.#answer(method, content)))
  }

  #isSigned(params: Fields): boolean {
    // Requests, unlike notices, are signed with their `sign_type`. A quarter of an hour: a time of another zone is too far off.
    const at = Date.parse(`${params.timestamp?.replace(' ', 'T')}+08:00`)
    if (!(Math.abs(Date.now() - at) < 900_000) || params.sign_type !== 'RSA2') return false
    return isSignedBy(signText(params), params.sign ?? '', this.merchant.publicKey)
  }

  #said(method: string, text: string): Said {
    const signature = sign(text, (this.fault === 'otherKey' ? this.other : this.own).privateKey)
    const shown = this.fault === 'altered' ? text.replace(/"code":/, '"extra":1,"code":') : text
    const signed = this.fault === 'unsigned' ? '' : `,"sign":"${signature}"`
    return {
      status: 200,
      headers: { 'content-type': 'text/html;charset=utf-8' },
      body: `{"${method.replaceAll('.', '_')}_response":${shown}${signed}}`,
    }
  }

  #page(content: Content): string {
    this.#orders.set(content.out_trade_no, content)
    this.open(content.out_trade_no)
    return '<html>支付宝收银台</html>'
  }

  #answer(method: string, content: Content): object {
    const ok = { code: '10000', msg: 'Success', out_trade_no: content.out_trade_no }
    const refused = (code: string) => ({ code: '40004', msg: 'Business Failed', sub_code: `ACQ.${code}`, sub_msg: '…' })
    const trade = this.#trades.get(content.out_trade_no)
    if (method === 'alipay.trade.precreate') return this.#precreate(content, trade, ok, refused)
    if (!trade) return refused('TRADE_NOT_EXIST')
    if (method === 'alipay.trade.query') return { ...ok, ...this.#found(content.out_trade_no, trade) }
    if (method === 'alipay.trade.close') {
      if (trade.status !== 'WAIT_BUYER_PAY') return refused('TRADE_STATUS_ERROR')
      trade.status = 'TRADE_CLOSED'
      return { ...ok, trade_no: trade.ref }
    }
    if (method === 'alipay.trade.refund') return this.#refund(content, trade, ok, refused)
    if (method === 'alipay.trade.fastpay.refund.query')
      return { ...ok, ...(trade.refunds.has(content.out_request_no) && { refund_status: 'REFUND_SUCCESS' }) }
    return refused('SYSTEM_ERROR')
  }

  #precreate(content: Content, trade: Trade | undefined, ok: object, refused: (code: string) => object): object {
    if (/[/=&]/.test(content.subject) || !/^\d+\.\d\d$/.test(content.total_amount)) return refused('INVALID_PARAMETER')
    if (trade?.paidAt) return refused('TRADE_HAS_SUCCESS')
    if (trade?.status === 'TRADE_CLOSED') return refused('TRADE_HAS_CLOSE')
    const known = this.#orders.get(content.out_trade_no)
    if (known && known.total_amount !== content.total_amount) return refused('CONTEXT_INCONSISTENT')
    this.#orders.set(content.out_trade_no, content)
    const named = this.fault === 'anotherPayment' ? { out_trade_no: 'another' } : {}
    return { ...ok, ...named, qr_code: `https://qr.alipay.com/${content.out_trade_no}` }
  }

  #found(id: string, { status, ref, paidAt }: Trade): object {
    const order = this.#orders.get(id)
    const over = status === 'WAIT_BUYER_PAY' && order && toBeijing(Date.now()) >= order.time_expire
    return {
      trade_no: ref,
      trade_status: over ? 'TRADE_CLOSED' : status,
      total_amount: order?.total_amount,
      ...(paidAt && { send_pay_date: paidAt }),
      ...(this.fault === 'anotherPayment' && { out_trade_no: 'another' }),
    }
  }

  #refund(content: Content, trade: Trade, ok: object, refused: (code: string) => object): object {
    const { out_request_no: number, refund_amount: amount } = content
    const known = trade.refunds.get(number)
    if (known) return known === amount ? { ...ok, fund_change: 'N' } : refused('DISCORDANT_REPEAT_REQUEST')
    if (trade.status === 'TRADE_FINISHED') return refused('TRADE_HAS_FINISHED')
    if (trade.status !== 'TRADE_SUCCESS') return refused('TRADE_STATUS_ERROR')
    const total = fen(this.#orders.get(content.out_trade_no)?.total_amount ?? '')
    const given = [...trade.refunds.values()].reduce((sum, yuan) => sum + fen(yuan), fen(amount))
    if (given > total) return refused('REFUND_AMT_NOT_EQUAL_TOTAL')
    if (this.refundsLater) {
      this.refundsLater = false
      return { ...ok, fund_change: 'N' }
    }
    trade.refunds.set(number, amount)
    if (given === total) trade.status = 'TRADE_CLOSED'
    return { ...ok, fund_change: 'Y', refund_fee: amount }
  }
}
