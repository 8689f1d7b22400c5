import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { alipay } from '#server/outside/alipay.ts'
import { toBeijing } from '#server/outside/beijing.ts'
import { BadNotice, type PayProvider, type PayRequest } from '#server/outside/pay.ts'
import { type AlipayFault, AlipayServer, type NoticeChanges, SELLER } from '#tests/support/alipayServer.ts'

let server: AlipayServer
let provider: PayProvider
let number = 0
let id: string
beforeAll(async () => {
  server = await AlipayServer.start()
  provider = alipay(server.options)
})
afterAll(() => server.stop())
beforeEach(() => {
  server.fault = undefined
  id = `P${String(++number).padStart(6, '0')}`
})

const HOUR = 3_600_000
const request = (changes: Partial<PayRequest> = {}): PayRequest => ({
  id,
  amount: 12_305,
  title: '《军考数学》+ 冲刺 100% 模拟',
  expiresAt: Date.parse('2099-01-01T08:30:00.999Z'),
  device: 'desktop',
  ip: '203.0.113.9',
  ...changes,
})
const paid = () => ({
  state: 'paid',
  amount: 12_305,
  ref: `2026112222001${id}`,
  at: Date.parse('2026-11-22T10:30:05Z'),
})
const refundOf = (changes = {}) => ({
  id,
  refundId: `R${id}`,
  amount: 305,
  total: 12_305,
  reason: '不想要了',
  ...changes,
})
const read = (body: string, now = Date.now()) => provider.readNotice({}, body, now)
/** A phone follows the way. */
const follow = async (device: PayRequest) => {
  const way = await provider.begin(device)
  if (way.kind !== 'go') throw new Error('no address')
  return (await fetch(way.url)).text()
}

describe('a life', () => {
  test('at a computer: a code to scan, paid, told, asked for, given back in two parts', async () => {
    expect(await provider.find(id)).toEqual({ state: 'open' })
    expect(await provider.begin(request())).toEqual({ kind: 'scan', text: `https://qr.alipay.com/${id}` })
    const { params, content } = server.asked.at(-1) ?? {}
    expect(params).toMatchObject({
      method: 'alipay.trade.precreate',
      notify_url: 'https://lijian.test/pay/notify/alipay',
    })
    expect(content).toEqual({
      out_trade_no: id,
      total_amount: '123.05',
      subject: request().title,
      time_expire: '2099-01-01 16:30:00',
      product_code: 'QR_CODE_OFFLINE',
    })
    // Until somebody scans it Alipay knows no trade.
    expect(await provider.find(id)).toEqual({ state: 'open' })
    server.open(id)
    expect(await read(server.notice(id))).toEqual({ id, kind: 'payment', standing: { state: 'open' } })

    server.pay(id)
    expect(await read(server.notice(id))).toEqual({ id, kind: 'payment', standing: paid() })
    expect(await provider.find(id)).toEqual(paid())

    expect(await provider.findRefund(refundOf())).toBe('failed')
    expect(await provider.refund(refundOf())).toBe('done')
    expect(await provider.refund(refundOf())).toBe('done')
    expect(await provider.findRefund(refundOf())).toBe('done')
    // A part of it may have been given back by hand: that the rest is to go back is not done by it.
    expect(await read(server.notice(id))).toEqual({ id, kind: 'payment', standing: paid() })
    expect(await provider.find(id)).toEqual(paid())

    expect(await provider.refund(refundOf({ refundId: `S${id}`, amount: 12_000 }))).toBe('done')
    expect(await read(server.notice(id))).toEqual({ id, kind: 'refund', standing: 'done' })
    // Who had not heard that it was paid gives nothing for it now.
    expect(await provider.find(id)).toEqual({ state: 'closed' })
  })

  test('on a phone: an address of Alipay that we signed, which begins the trade and leads back', async () => {
    const page = request({ device: 'phone' })
    expect(await follow(page)).toContain('支付宝收银台')
    const { params, content } = server.asked.at(-1) ?? {}
    expect(params).toMatchObject({
      notify_url: 'https://lijian.test/pay/notify/alipay',
      return_url: 'https://lijian.test/auto_close',
    })
    expect(content).toMatchObject({ total_amount: '123.05', product_code: 'QUICK_WAP_WAY' })
    server.pay(id)
    expect(await provider.find(id)).toEqual(paid())
  })

  test('closed, and never paid', async () => {
    await provider.begin(request())
    server.open(id)
    await provider.close(id)
    expect(await provider.find(id)).toEqual({ state: 'closed' })
    expect(await read(server.notice(id))).toEqual({ id, kind: 'payment', standing: { state: 'closed' } })
    await expect(provider.begin(request())).rejects.toMatchObject({ code: 'ACQ.TRADE_HAS_CLOSE' })
  })

  test('too late to be paid: closed without us; nobody can open it any more', async () => {
    await provider.begin(request({ expiresAt: Date.now() - 1_000 }))
    expect(() => server.open(id)).toThrow('too old')
    expect(await provider.find(id)).toEqual({ state: 'open' })
  })
})

describe('said twice', () => {
  test('begun again it is one payment, on either device', async () => {
    const way = await provider.begin(request())
    expect(await provider.begin(request())).toEqual(way)
    await follow(request({ device: 'phone' }))
    expect(await provider.begin(request())).toEqual(way)
  })

  test('begun again after it was paid: to where one comes back', async () => {
    await provider.begin(request())
    server.pay(id)
    expect(await provider.begin(request())).toEqual({ kind: 'go', url: 'https://lijian.test/auto_close' })
  })

  test('closing is no fault when it was paid, closed, never begun or never opened', async () => {
    await provider.close(id)
    await provider.begin(request())
    await provider.close(id)
    server.open(id)
    await provider.close(id)
    await provider.close(id)
    id = `${id}b`
    await provider.begin(request())
    server.pay(id)
    await provider.close(id)
    expect(await provider.find(id)).toMatchObject({ state: 'paid' })
  })

  test('the same notice twice says the same: what is done for it is done once by us', async () => {
    await provider.begin(request())
    server.pay(id)
    const notice = server.notice(id)
    expect(await read(notice)).toEqual(await read(notice))
  })
})

test('a title loses what Alipay refuses', async () => {
  await provider.begin(request({ title: 'A/B=C&D' }))
  expect(server.asked.at(-1)?.content.subject).toBe('A B C D')
})

describe('a refund', () => {
  beforeEach(async () => {
    await provider.begin(request())
    server.pay(id)
  })

  test('of more than was paid fails', async () => {
    expect(await provider.refund(refundOf({ amount: 99_999 }))).toBe('failed')
  })

  test('that comes too late fails, but not when it was made before', async () => {
    expect(await provider.refund(refundOf())).toBe('done')
    server.finish(id)
    expect(await provider.refund(refundOf())).toBe('done')
    expect(await provider.refund(refundOf({ refundId: `S${id}` }))).toBe('failed')
  })

  test('that was taken and not made yet is pending, then done', async () => {
    server.refundsLater = true
    expect(await provider.refund(refundOf())).toBe('pending')
    expect(await provider.refund(refundOf())).toBe('done')
  })

  test('of a payment that Alipay does not know fails', async () => {
    expect(await provider.refund(refundOf({ id: 'UNKNOWN' }))).toBe('failed')
    expect(await provider.findRefund({ id: 'UNKNOWN', refundId: 'R' })).toBe('failed')
  })

  test('under the number of another one is a fault, not a failure', async () => {
    await provider.refund(refundOf())
    await expect(provider.refund(refundOf({ amount: 300 }))).rejects.toMatchObject({
      code: 'ACQ.DISCORDANT_REPEAT_REQUEST',
    })
  })
})

describe('a notice is refused', () => {
  beforeEach(async () => {
    await provider.begin(request())
    server.pay(id)
  })
  const ago = (ms: number) => toBeijing(Date.now() - ms)
  const forged: [string, (stand: AlipayServer) => NoticeChanges][] = [
    ['signed with another key', (stand) => ({ key: stand.other })],
    ['signed with our own key', (stand) => ({ key: stand.merchant })],
    ['with an amount altered after it was signed', () => ({ after: { total_amount: '0.01' } })],
    ['with a number altered after it was signed', () => ({ after: { out_trade_no: 'P999' } })],
    ['with something added after it was signed', () => ({ after: { gmt_refund: '2026-11-22 19:00:00' } })],
    ['with a signature that is none', () => ({ after: { sign: 'AAAA' } })],
    ['without a signature', () => ({ after: { sign: '' } })],
    ['said to be signed in the old way', () => ({ after: { sign_type: 'RSA' } })],
    ['said to be signed in no known way', () => ({ after: { sign_type: 'constructor' } })],
    ['of another app', () => ({ fields: { app_id: '2021000000000002' } })],
    ['in another currency', () => ({ fields: { trans_currency: 'USD' } })],
    ['with an amount that is none', () => ({ fields: { total_amount: '1.5' } })],
    ['in a state that there is not', () => ({ fields: { trade_status: 'GIFT' } })],
    ['paid without a time', () => ({ without: 'gmt_payment' })],
    ['paid at no time', () => ({ fields: { gmt_payment: '2026-02-30 10:00:00' } })],
    ['of another kind', () => ({ fields: { notify_type: 'batch_refund_notify' } })],
    ['older than Alipay sends any', () => ({ fields: { notify_time: ago(27 * HOUR) } })],
    ['from the future', () => ({ fields: { notify_time: ago(-HOUR) } })],
  ]
  test.each(forged)('%s', async (_, changes) => {
    await expect(read(server.notice(id, changes(server)))).rejects.toThrow(BadNotice)
  })

  test('of another seller, where the operator has said whose account it is', async () => {
    const told = alipay({ ...server.options, sellerId: SELLER })
    const hear = (changes: NoticeChanges) => told.readNotice({}, server.notice(id, changes), Date.now())
    expect(await hear({})).toMatchObject({ id })
    await expect(hear({ fields: { seller_id: '2088999999999999' } })).rejects.toThrow('of another seller')
    await expect(hear({ without: 'seller_id' })).rejects.toThrow('of another seller')
    // Not said: whichever account this app pays into.
    expect(await read(server.notice(id, { without: 'seller_id' }))).toMatchObject({ id })
  })

  test('kept for more than a day and sent again', async () => {
    const notice = server.notice(id)
    expect(await read(notice, Date.now() + 24 * HOUR)).toMatchObject({ id })
    await expect(read(notice, Date.now() + 27 * HOUR)).rejects.toThrow('too old')
  })

  test('with a name that comes twice', async () => {
    await expect(read(`${server.notice(id)}&total_amount=0.01`)).rejects.toThrow(BadNotice)
    await expect(read(`total_amount=0.01&${server.notice(id)}`)).rejects.toThrow(BadNotice)
  })

  test.each(['', 'rubbish', '{"trade_status":"TRADE_SUCCESS"}', 'sign=a&sign_type=RSA2', '__proto__=1&sign_type=RSA2'])(
    'rubbish: %s',
    async (body) => {
      await expect(read(body)).rejects.toThrow(BadNotice)
    },
  )
})

test('a notice may hold what looks encoded, and signs that a form encodes', async () => {
  await provider.begin(request({ title: '打 9 折 50%25 + 1 送 1' }))
  server.pay(id)
  expect(await read(server.notice(id))).toMatchObject({ standing: { state: 'paid' } })
})

test('a trade that is over is still paid, whatever Alipay calls it', async () => {
  await provider.begin(request())
  server.pay(id)
  server.finish(id)
  expect(await provider.find(id)).toEqual(paid())
  expect(await read(server.notice(id))).toMatchObject({ standing: { state: 'paid' } })
})

describe('answers that cannot be believed, or do not come', () => {
  beforeEach(async () => {
    await provider.begin(request())
    server.pay(id)
  })
  test.each<[AlipayFault, string]>([
    ['altered', 'ANSWER_NOT_VERIFIED'],
    ['otherKey', 'ANSWER_NOT_VERIFIED'],
    ['unsigned', 'ANSWER_NOT_VERIFIED'],
    ['anotherPayment', 'ANSWER_NOT_VERIFIED'],
    ['unreachable', 'FAILED'],
  ])('%s: %s', async (fault, code) => {
    server.fault = fault
    await expect(provider.find(id)).rejects.toMatchObject({ name: 'PayFault', code })
    server.fault = undefined
    expect(await provider.find(id)).toMatchObject({ state: 'paid' })
  })

  test('a code of another payment is shown to nobody', async () => {
    server.fault = 'anotherPayment'
    id = `${id}d`
    await expect(provider.begin(request())).rejects.toMatchObject({ code: 'ANSWER_NOT_VERIFIED' })
  })

  test('a refusal is verified too: that nobody knows the trade is not believed of anybody', async () => {
    server.fault = 'otherKey'
    await expect(provider.find('UNKNOWN')).rejects.toMatchObject({ code: 'ANSWER_NOT_VERIFIED' })
  })

  test('one that never answers is given up', async () => {
    server.fault = 'silent'
    const hasty = alipay({ ...server.options, callMs: 50 })
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
    const gone = await AlipayServer.start()
    const options = gone.options
    await gone.stop()
    await expect(alipay(options).find(id)).rejects.toMatchObject({ name: 'PayFault' })
  })
})

describe('our own keys', () => {
  test('an app that Alipay does not know is told so without a signature, which is not believed', async () => {
    const unknown = alipay({ ...server.options, appId: '2021000000000002' })
    await expect(unknown.find(id)).rejects.toMatchObject({ code: 'ANSWER_NOT_VERIFIED' })
  })

  test('a request that is signed with another key is refused by Alipay, and so is the address for a phone', async () => {
    const stranger = alipay({ ...server.options, privateKey: server.other.privateKey })
    await expect(stranger.find(id)).rejects.toMatchObject({ code: 'isv.invalid-signature' })
    const way = await stranger.begin(request({ device: 'phone' }))
    if (way.kind !== 'go') throw new Error('no address')
    expect(await (await fetch(way.url)).text()).toContain('isv.invalid-signature')
  })

  test.each<AlipayFault>(['altered', 'unreachable', 'silent'])(
    'stand in no fault that is logged (%s)',
    async (fault) => {
      server.fault = fault
      const failing = alipay({ ...server.options, callMs: 200 })
      const error: unknown = await failing.begin(request()).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/PRIVATE|biz_content|sign=/)
      expect(Object.keys(error as object).sort()).toEqual(['code', 'name'])
    },
  )
})

test('what Alipay wants to hear', () => {
  expect(provider.reply(true)).toMatchObject({ status: 200, body: 'success' })
  expect(provider.reply(false)).toMatchObject({ body: 'fail' })
})
