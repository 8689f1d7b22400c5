import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BadNotice, type PayProvider, type PayRequest } from '#server/outside/pay.ts'
import { wechatPay } from '#server/outside/wechat.ts'
import { type NoticeChanges, type WechatFault, WechatServer } from '#tests/support/wechatServer.ts'

let wechat: WechatServer
let provider: PayProvider
let number = 0
let id: string
beforeAll(async () => {
  wechat = await WechatServer.start()
  provider = wechatPay(wechat.options)
})
afterAll(() => wechat.stop())
beforeEach(() => {
  wechat.fault = undefined
  wechat.nextRefund = 'SUCCESS'
  id = `P${String(++number).padStart(6, '0')}`
})

const MINUTE = 60_000
const request = (changes: Partial<PayRequest> = {}): PayRequest => ({
  id,
  amount: 12_345,
  title: '《军考数学》 冲刺 100% & 模拟',
  // A begun payment keeps its end: begun again, it is the same.
  expiresAt: Date.parse('2099-01-01T08:30:00Z'),
  device: 'desktop',
  ip: '::ffff:203.0.113.9',
  ...changes,
})
const PAID = { state: 'paid', amount: 12_345, at: Date.parse('2026-11-22T10:30:05Z') } as const
const refundOf = (changes = {}) => ({
  id,
  refundId: `R${id}`,
  amount: 345,
  total: 12_345,
  reason: '不想要了',
  ...changes,
})
const read = ({ headers, body }: { headers: Record<string, string>; body: string }, now = Date.now()) =>
  provider.readNotice(headers, body, now)

describe('a life', () => {
  test('at a computer: a code to scan, paid, told, asked for, partly given back', async () => {
    expect(await provider.find(id)).toEqual({ state: 'open' })
    expect(await provider.begin(request())).toEqual({ kind: 'scan', text: `weixin://wxpay/bizpayurl?pr=${id}` })
    expect(wechat.begun()).toEqual({
      appid: wechat.options.appid,
      mchid: wechat.options.mchid,
      description: request().title,
      out_trade_no: id,
      time_expire: '2099-01-01T16:30:00+08:00',
      notify_url: 'https://lijian.test/pay/notify/wechat',
      amount: { total: 12_345, currency: 'CNY' },
    })
    expect(await provider.find(id)).toEqual({ state: 'open' })

    wechat.pay(id)
    const paid = { ...PAID, ref: `4200001${id}` }
    expect(await read(wechat.notice(id))).toEqual({ id, kind: 'payment', standing: paid })
    expect(await provider.find(id)).toEqual(paid)

    wechat.nextRefund = 'PROCESSING'
    expect(await provider.refund(refundOf())).toBe('pending')
    expect(await provider.findRefund(refundOf())).toBe('pending')
    wechat.refundBecomes(`R${id}`, 'SUCCESS')
    expect(await read(wechat.refundNotice(`R${id}`))).toEqual({ id, kind: 'refund', standing: 'done' })
    expect(await provider.refund(refundOf())).toBe('done')
    expect(await provider.findRefund(refundOf())).toBe('done')
    // What was given back is asked for by itself: paid it was.
    expect(await provider.find(id)).toEqual(paid)
  })

  test('on a phone: an address to go to that leads back, with the address of the student', async () => {
    const way = await provider.begin(request({ device: 'phone' }))
    if (way.kind !== 'go') throw new Error('no address')
    const url = new URL(way.url)
    expect(url.origin).toBe('https://wx.tenpay.com')
    expect(url.searchParams.get('prepay_id')).toBe(id)
    expect(url.searchParams.get('redirect_url')).toBe('https://lijian.test/auto_close')
    expect(wechat.begun().scene_info).toEqual({ payer_client_ip: '203.0.113.9', h5_info: { type: 'Wap' } })
    wechat.pay(id)
    expect(await provider.find(id)).toMatchObject(PAID)
  })

  test('closed, and never paid', async () => {
    await provider.begin(request())
    await provider.close(id)
    expect(await provider.find(id)).toEqual({ state: 'closed' })
    expect(await read(wechat.notice(id))).toMatchObject({ standing: { state: 'closed' } })
  })

  test('too late to be paid: closed without us', async () => {
    await provider.begin(request({ expiresAt: Date.now() - 1 }))
    expect(await provider.find(id)).toEqual({ state: 'closed' })
  })
})

describe('said twice', () => {
  test('begun again it is one payment, wherever the student is by then', async () => {
    const way = await provider.begin(request({ device: 'phone' }))
    expect(await provider.begin(request({ device: 'phone', ip: '198.51.100.7' }))).toEqual(way)
  })

  test('begun at a computer, then on the phone: its code, for that is how it can be paid', async () => {
    const code = await provider.begin(request())
    expect(await provider.begin(request({ device: 'phone' }))).toEqual(code)
  })

  test('begun on a phone, then at a computer: a fault that says so, and the payment stands', async () => {
    await provider.begin(request({ device: 'phone' }))
    await expect(provider.begin(request())).rejects.toMatchObject({ name: 'PayFault', code: 'OUT_TRADE_NO_USED' })
    expect(await provider.find(id)).toEqual({ state: 'open' })
  })

  test.each(['phone', 'desktop'] as const)(
    'begun again after it was paid, on a %s: to where one comes back',
    async (device) => {
      await provider.begin(request({ device }))
      wechat.pay(id)
      expect(await provider.begin(request({ device }))).toEqual({ kind: 'go', url: 'https://lijian.test/auto_close' })
    },
  )

  test('closing is no fault when it was paid, closed or never begun', async () => {
    await provider.close(id)
    await provider.begin(request())
    await provider.close(id)
    await provider.close(id)
    await expect(provider.begin(request())).rejects.toMatchObject({ code: 'ORDER_CLOSED' })
    id = `${id}b`
    await provider.begin(request())
    wechat.pay(id)
    await provider.close(id)
    expect(await provider.find(id)).toMatchObject({ state: 'paid' })
  })

  test('the same notice twice says the same: what is done for it is done once by us', async () => {
    await provider.begin(request())
    wechat.pay(id)
    const notice = wechat.notice(id)
    expect(await read(notice)).toEqual(await read(notice))
  })
})

test('a title of wide characters is cut to what WeChat takes', async () => {
  await provider.begin(request({ title: '𠮷'.repeat(40) }))
  expect(wechat.begun().description).toBe('𠮷'.repeat(31))
})

describe('a refund', () => {
  beforeEach(async () => {
    await provider.begin(request())
    wechat.pay(id)
  })

  test.each([
    ['CLOSED', 'failed'],
    ['ABNORMAL', 'failed'],
    ['PROCESSING', 'pending'],
    ['SUCCESS', 'done'],
  ] as const)('that is %s is %s', async (status, standing) => {
    wechat.nextRefund = status
    expect(await provider.refund(refundOf())).toBe(standing)
    expect(await provider.findRefund(refundOf())).toBe(standing)
    expect(await read(wechat.refundNotice(`R${id}`))).toEqual({ id, kind: 'refund', standing })
  })

  test('against a rule fails; one that WeChat does not know has failed', async () => {
    expect(await provider.refund(refundOf({ amount: 99_999 }))).toBe('failed')
    expect(await provider.findRefund(refundOf())).toBe('failed')
    expect(await provider.refund(refundOf({ id: 'UNKNOWN' }))).toBe('failed')
  })

  test('asked again in other words is the one that is under way', async () => {
    wechat.nextRefund = 'PROCESSING'
    expect(await provider.refund(refundOf())).toBe('pending')
    expect(await provider.refund(refundOf({ reason: '拍错了' }))).toBe('pending')
  })

  test('may have a reason longer than WeChat takes, cut between two characters', async () => {
    expect(await provider.refund(refundOf({ reason: '长'.repeat(200) }))).toBe('done')
    expect(wechat.begun().reason).toBe('长'.repeat(26))
  })
})

describe('a notice is refused', () => {
  beforeEach(async () => {
    await provider.begin(request())
    wechat.pay(id)
  })
  const forged: [string, (server: WechatServer) => NoticeChanges][] = [
    ['signed with another key', (server) => ({ key: server.other })],
    ['signed with our own key', (server) => ({ key: server.merchant })],
    ['said to be signed with a key that we do not have', () => ({ serial: 'PUB_KEY_ID_0000000000000000000000000000' })],
    ['older than five minutes', () => ({ at: Date.now() - 6 * MINUTE })],
    ['from the future', () => ({ at: Date.now() + 6 * MINUTE })],
    ['encrypted with another key', () => ({ apiV3Key: '0'.repeat(32) })],
    ['of another merchant', () => ({ resource: { mchid: '1900000110' } })],
    ['of another app', () => ({ resource: { appid: 'wx0000000000000000' } })],
    ['in another currency', () => ({ resource: { amount: { total: 12_345, currency: 'USD' } } })],
    ['without an amount', () => ({ resource: { amount: undefined } })],
    ['with a part of a fen', () => ({ resource: { amount: { total: 0.5, currency: 'CNY' } } })],
    ['in a state that there is not', () => ({ resource: { trade_state: 'GIFT' } })],
    ['paid at no time', () => ({ resource: { success_time: '2026-13-45T18:30:05+08:00' } })],
    ['of a kind that we do not know', () => ({ originalType: 'coupon' })],
  ]
  test.each(forged)('%s', async (_, changes) => {
    await expect(read(wechat.notice(id, changes(wechat)))).rejects.toThrow(BadNotice)
  })

  test('kept and sent again later', async () => {
    const notice = wechat.notice(id)
    await expect(read(notice, Date.now() + 6 * MINUTE)).rejects.toThrow('too old')
  })

  test('altered anywhere: body, timestamp, nonce or signature', async () => {
    const { headers, body } = wechat.notice(id)
    const later = String(Number(headers['wechatpay-timestamp']) + 1)
    const altered = [
      { headers, body: `${body} ` },
      { headers, body: body.replace('"original_type"', '"original_typo"') },
      { headers: { ...headers, 'wechatpay-timestamp': later }, body },
      { headers: { ...headers, 'wechatpay-nonce': 'abc' }, body },
      { headers: { ...headers, 'wechatpay-signature': 'AAAA' }, body },
      { headers: { ...headers, 'wechatpay-signature': 'WECHATPAY/SIGNTEST/AAAA' }, body },
    ]
    for (const notice of altered) await expect(read(notice)).rejects.toThrow(BadNotice)
    expect(await read({ headers, body })).toMatchObject({ id })
  })

  test.each(['wechatpay-timestamp', 'wechatpay-nonce', 'wechatpay-serial', 'wechatpay-signature'])(
    'without %s',
    async (name) => {
      const { headers, body } = wechat.notice(id)
      const rest = { ...headers, [name]: undefined }
      await expect(provider.readNotice(rest, body, Date.now())).rejects.toThrow(BadNotice)
    },
  )

  test('encrypted with another key is said to be so', async () => {
    await expect(read(wechat.notice(id, { apiV3Key: '0'.repeat(32) }))).rejects.toThrow('not encrypted with our key')
  })

  test('of a refund of another merchant', async () => {
    await provider.refund(refundOf())
    const notice = wechat.refundNotice(`R${id}`)
    expect(await read(notice)).toMatchObject({ kind: 'refund' })
    const other = wechatPay({ ...wechat.options, mchid: '1900000110' })
    await expect(other.readNotice(notice.headers, notice.body, Date.now())).rejects.toThrow('another merchant')
  })

  test('rubbish', async () => {
    await expect(provider.readNotice({}, 'rubbish', Date.now())).rejects.toThrow(BadNotice)
  })
})

describe('answers that cannot be believed, or do not come', () => {
  beforeEach(async () => {
    await provider.begin(request())
    wechat.pay(id)
  })
  test.each<[WechatFault, string]>([
    ['altered', 'ANSWER_NOT_VERIFIED'],
    ['otherKey', 'ANSWER_NOT_VERIFIED'],
    ['stale', 'ANSWER_NOT_VERIFIED'],
    ['unsigned', 'ANSWER_NOT_VERIFIED'],
    ['anotherPayment', 'ANSWER_NOT_VERIFIED'],
    ['unreachable', 'HTTP_502'],
  ])('%s: %s', async (fault, code) => {
    wechat.fault = fault
    await expect(provider.find(id)).rejects.toMatchObject({ name: 'PayFault', code })
    wechat.fault = undefined
    expect(await provider.find(id)).toMatchObject({ state: 'paid' })
  })

  test('closing believes no answer that is not signed either', async () => {
    id = `${id}c`
    await provider.begin(request())
    wechat.fault = 'otherKey'
    await expect(provider.close(id)).rejects.toMatchObject({ code: 'ANSWER_NOT_VERIFIED' })
  })

  test('one that never answers is given up', async () => {
    wechat.fault = 'silent'
    const hasty = wechatPay({ ...wechat.options, callMs: 50 })
    for (const call of [
      () => hasty.find(id),
      () => hasty.close(id),
      () => hasty.begin(request()),
      () => hasty.refund(refundOf()),
      () => hasty.findRefund(refundOf()),
    ])
      await expect(call()).rejects.toMatchObject({ name: 'PayFault', code: 'TIMEOUT' })
  })

  test('nobody is there', async () => {
    const gone = await WechatServer.start()
    const options = gone.options
    await gone.stop()
    await expect(wechatPay(options).find(id)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('our own keys', () => {
  test('a request that is signed with another key or names another certificate is refused by WeChat', async () => {
    for (const changes of [
      { privateKey: wechat.other.privateKey },
      { serial: 'AAAA9EFDC096DE15EBE81A47057A7232F1B8E1' },
      { mchid: '1900000110' },
    ])
      await expect(wechatPay({ ...wechat.options, ...changes }).find(id)).rejects.toMatchObject({ code: 'SIGN_ERROR' })
  })

  test.each<WechatFault>(['altered', 'unreachable', 'silent'])(
    'stand in no fault that is logged (%s)',
    async (fault) => {
      wechat.fault = fault
      const failing = wechatPay({ ...wechat.options, callMs: 200 })
      const error: unknown = await failing.begin(request()).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Error)
      const logged = inspect(error, { depth: 20, showHidden: true })
      expect(logged).not.toMatch(/WECHATPAY2|PRIVATE|signature=|abcdefghijklmnopqrstuvwxyz/)
      expect(Object.keys(error as object).sort()).toEqual(['code', 'name'])
    },
  )
})

test('what WeChat wants to hear', () => {
  expect(provider.reply(true)).toMatchObject({ status: 200, body: '{"code":"SUCCESS","message":"成功"}' })
  expect(provider.reply(false)).toMatchObject({ status: 500, body: '{"code":"FAIL","message":"失败"}' })
})
