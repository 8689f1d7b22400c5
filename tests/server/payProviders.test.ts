import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { operate, payOutWallet } from '#server/order/operator.ts'
import { alipay } from '#server/outside/alipay.ts'
import { wechatPay } from '#server/outside/wechat.ts'
import { AlipayServer } from '#tests/support/alipayServer.ts'
import { accounts, type Buyer, detail, order, settleAll, vipOf } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'
import { WechatServer } from '#tests/support/wechatServer.ts'

/** Orders, with the real providers behind them and the stand-ins behind those. */
let server: TestServer
let wechat: WechatServer
let ali: AlipayServer
let student: Buyer & { mobile: string }
beforeAll(async () => {
  server = await startServer()
  wechat = await WechatServer.start()
  ali = await AlipayServer.start()
  const providers = [wechatPay(wechat.options), alipay(ali.options)]
  Object.assign(server.desk, { providers: new Map(providers.map((provider) => [provider.name, provider])) })
  await publishVip(server, vipJson(packageJson('V')))
})
afterAll(() => Promise.all([server.close(), wechat.stop(), ali.stop()]))
beforeEach(async () => {
  // The stand-ins sign by the real clock.
  server.clock.now = Date.now()
  server.troubles.length = 0
  student = await server.student()
})

type Method = 'wechat' | 'alipay'
const both = ['wechat', 'alipay'] as const
const FORM = { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' }

/** @returns the number that the provider knows it by */
async function begin(method: Method, id: string): Promise<string> {
  const { way } = await server.call(contract.order.pay, { id, method, device: 'desktop' }, student.token)
  if (way?.kind !== 'scan') throw new Error('no code')
  return way.text.replace(/^.*[=/]/, '')
}
/** As the provider brings it to our door. */
function knock(method: Method, payment: string, alter: (body: string) => string = (body) => body) {
  const { headers, body } = method === 'wechat' ? wechat.notice(payment) : { headers: FORM, body: ali.notice(payment) }
  const type = method === 'wechat' && { 'content-type': 'application/json' }
  const url = `/pay/notify/${method}`
  return server.app.inject({ method: 'POST', url, headers: { ...headers, ...type }, payload: alter(body) })
}
const pays = (method: Method, payment: string) => (method === 'wechat' ? wechat.pay(payment) : ali.pay(payment))
const stateOf = async (id: string) => (await detail(server, student, id)).state
const TAKEN = { wechat: '{"code":"SUCCESS","message":"成功"}', alipay: 'success' }
const REFUSED = { wechat: '{"code":"FAIL","message":"失败"}', alipay: 'fail' }

describe.each(both)('%s', (method) => {
  test('an order is paid by its notice, once however often that comes', async () => {
    const { id } = await order(server, student, { products: [vipOf('V')] })
    const payment = await begin(method, id)
    expect(await begin(method, id)).toBe(payment)
    pays(method, payment)

    const altered = await knock(method, payment, (body) =>
      body.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
    )
    expect([altered.statusCode, altered.body]).toEqual([400, REFUSED[method]])
    expect(await stateOf(id)).toBe('pending')

    for (let time = 0; time < 3; time++) {
      const said = await knock(method, payment)
      expect([said.statusCode, said.body]).toEqual([200, TAKEN[method]])
    }
    expect(await detail(server, student, id)).toMatchObject({ state: 'completed', method, due: 1990 })
    expect(await accounts(server, student.uid)).toEqual({ [`outside:${method}`]: -1990, sales: 1990 })
  })

  test('an order is paid without a notice too: the provider is asked', async () => {
    const { id } = await order(server, student, { products: [vipOf('V')] })
    pays(method, await begin(method, id))
    expect((await server.call(contract.order.state, { id }, student.token)).state).toBe('completed')
  })

  test('a top-up that was spent in part is paid out, and the rest of it later', async () => {
    const key = randomUUID()
    const wanted = { key, amount: 3000, method, device: 'desktop' } as const
    const { id: topUp, way } = await server.call(contract.wallet.topUp, wanted, student.token)
    expect(way.kind).toBe('scan')
    pays(method, topUp)
    await knock(method, topUp)
    const { id } = await order(server, student, { products: [vipOf('V')], wallet: true })
    const payOut = async () => {
      const { sum } = await payOutWallet(server.db, student.mobile, server.clock.now)
      await settleAll(server)
      return sum
    }
    expect(await payOut()).toBe(1010)
    expect(await accounts(server, student.uid)).toEqual({ [`outside:${method}`]: -1990, sales: 1990 })
    await operate(server.db, id, { kind: 'approve', reason: '课程停办' }, server.clock.now)
    expect(await payOut()).toBe(1990)
    expect(await accounts(server, student.uid)).toEqual({})
    expect(server.troubles).toEqual([])
  })

  test('a notice for the payment of another provider is not taken', async () => {
    const { id } = await order(server, student, { products: [vipOf('V')] })
    const other = method === 'wechat' ? 'alipay' : 'wechat'
    const payment = await begin(method, id)
    pays(method, payment)
    const { headers = FORM, body } = method === 'wechat' ? wechat.notice(payment) : { body: ali.notice(payment) }
    const url = `/pay/notify/${other}`
    const said = await server.app.inject({ method: 'POST', url, headers: { ...FORM, ...headers }, payload: body })
    expect(said.statusCode).toBe(400)
    expect(await stateOf(id)).toBe('pending')
  })
})

test('what is paid by WeChat for an order that was cancelled while nobody reached WeChat goes back', async () => {
  const { id } = await order(server, student, { products: [vipOf('V')] })
  const payment = await begin('wechat', id)
  wechat.fault = 'unreachable'
  await server.call(contract.order.cancel, { id }, student.token)
  wechat.fault = undefined
  expect(await stateOf(id)).toBe('cancelled')
  pays('wechat', payment)
  wechat.nextRefund = 'PROCESSING'
  expect((await knock('wechat', payment)).statusCode).toBe(200)
  await settleAll(server)
  expect(await stateOf(id)).toBe('refunding')
  wechat.refundBecomes(`${payment}R`, 'SUCCESS')
  const { headers, body } = wechat.refundNotice(`${payment}R`)
  const json = { ...headers, 'content-type': 'application/json' }
  const said = await server.app.inject({ method: 'POST', url: '/pay/notify/wechat', headers: json, payload: body })
  expect(said.body).toBe(TAKEN.wechat)
  // WeChat is asked for the refund that is ours, now and not in ten minutes.
  await settleAll(server)
  expect(await stateOf(id)).toBe('refunded')
  expect(await accounts(server, student.uid)).toEqual({})
})

test('a code of Alipay that was paid after the order was cancelled, and of which no notice came, is found out', async () => {
  const { id } = await order(server, student, { products: [vipOf('V')] })
  const payment = await begin('alipay', id)
  await server.call(contract.order.cancel, { id }, student.token)
  pays('alipay', payment)
  server.clock.now += 60_000
  await settleAll(server)
  expect(await stateOf(id)).toBe('refunded')
  expect(await accounts(server, student.uid)).toEqual({})
})

test('a code of Alipay that nobody had scanned can be paid after the order was cancelled: the money goes back', async () => {
  const { id } = await order(server, student, { products: [vipOf('V')] })
  const payment = await begin('alipay', id)
  await server.call(contract.order.cancel, { id }, student.token)
  expect(await stateOf(id)).toBe('cancelled')
  pays('alipay', payment)
  expect((await knock('alipay', payment)).body).toBe('success')
  await settleAll(server)
  expect(await stateOf(id)).toBe('refunded')
  expect(await accounts(server, student.uid)).toEqual({})
  // And says so by itself, later.
  expect((await knock('alipay', payment)).body).toBe('success')
  expect(await accounts(server, student.uid)).toEqual({})
})
