import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { operate, payOutWallet } from '#server/order/operator.ts'
import { voidSandboxMoney } from '#server/order/sandboxMoney.ts'
import { listTroubles } from '#server/order/troubles.ts'
import { BadNotice, type PayProvider } from '#server/outside/pay.ts'
import {
  accounts,
  atSandbox,
  begin,
  buy,
  detail,
  order,
  settleAll,
  topUp,
  vipOf,
  wantedOf,
} from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

let server: TestServer
let sandboxed: TestServer['desk']['providers']
beforeAll(async () => {
  server = await startServer()
  sandboxed = server.desk.providers
  await publishVip(server, vipJson(packageJson('V')))
})
afterAll(() => server.close())

/** Alipay, which takes what is asked for as soon as somebody looks. */
const paid: string[] = []
const alipay: PayProvider = {
  name: 'alipay',
  begin: async ({ id }) => ({ kind: 'go', url: `https://alipay.test/${id}` }),
  find: async (id) =>
    paid.includes(id) ? { state: 'paid', amount: 5000, ref: id, at: server.clock.now } : { state: 'open' },
  close: async () => {},
  refund: async () => 'done',
  findRefund: async () => 'done',
  readNotice: async () => {
    throw new BadNotice('it sends none')
  },
  reply: () => ({ status: 200, type: 'text/plain', body: '' }),
}
/** Configures the server as a restart with other variables does. */
async function configure(...providers: PayProvider[]): Promise<void> {
  Object.assign(server.desk, { providers: new Map(providers.map((each) => [each.name, each])) })
  await settleAll(server)
}
const back = async () => {
  Object.assign(server.desk, { providers: sandboxed })
  await settleAll(server)
}
beforeEach(back)
afterEach(async () => {
  await configure()
  await voidSandboxMoney(server.db, server.clock.now)
})

/** A month costs ¥19.90. */
const wanted = { products: [vipOf('V')], wallet: true }
const rightsOf = async ({ uid }: { uid: string }) => {
  const live = server.db.selectFrom('entitlement_grant').select('kind').where('uid', '=', uid)
  return (await live.where('revoked_at', 'is', null).execute()).map(({ kind }) => kind)
}
const troublesOf = async ({ mobile }: { mobile: string }) =>
  (await listTroubles(server.db, server.clock.now)).filter((each) => each.mobile === mobile).map(({ kind }) => kind)
const walletOf = ({ token }: { token: string }) => server.call(contract.user.myWalletRecord, {}, token)

describe('without any provider', () => {
  beforeEach(() => configure())
  test('nothing is ordered that has to be paid for, and the page says why', async () => {
    const student = await server.student()
    const quote = await server.call(contract.order.preview, { ...wanted, wallet: false }, student.token)
    expect(quote).toMatchObject({ methods: [], problem: '本站还没有开通支付，暂时不能购买，请以后再来看看' })
    const asked = await wantedOf(server, student, wanted)
    expect(await server.ask(contract.order.create, asked, student.token)).toMatchObject({
      status: 0,
      msg: '本站还没有开通支付，暂时不能购买，请以后再来看看',
    })
  })
  test('nobody tops up', async () => {
    const { token } = await server.student()
    const asked = { key: randomUUID(), amount: 5000, method: 'sandbox', device: 'phone' } as const
    expect(await server.ask(contract.wallet.topUp, asked, token)).toMatchObject({
      status: 0,
      msg: '本站还没有开通支付，暂时不能充值，请以后再来看看',
    })
  })
})

describe('where money is taken now', () => {
  test('what was paid at the sandbox buys nothing, goes back to nobody, and is in trouble until it is voided', async () => {
    const student = await server.student()
    await topUp(server, student, 1_500_00)
    await configure(alipay)
    expect(await walletOf(student)).toMatchObject({ balance: 1_500_00, frozen: true })
    expect(await server.call(contract.order.preview, wanted, student.token)).toMatchObject({ balance: 0, wallet: 0 })
    const { id, state } = await order(server, student, wanted)
    expect(state).toBe('pending')
    expect(await detail(server, student, id)).toMatchObject({ balance: 0 })
    const byWallet = { id, method: 'wallet', device: 'phone' } as const
    expect(await server.ask(contract.order.pay, byWallet, student.token)).toMatchObject({
      status: 0,
      msg: expect.stringContaining('沙箱款项'),
    })
    await expect(payOutWallet(server.db, student.mobile, server.clock.now)).rejects.toThrow('void-sandbox')
    expect(await troublesOf(student)).toEqual(['unreal'])

    expect(await voidSandboxMoney(server.db, server.clock.now)).toEqual({ students: 1, sum: 1_500_00, orders: [] })
    expect(await walletOf(student)).toMatchObject({ balance: 0, frozen: false })
    expect(await accounts(server, student.uid)).toEqual({})
    expect(await troublesOf(student)).toEqual([])
  })

  test('an order that already holds some of it is not paid by money either', async () => {
    const student = await server.student()
    await topUp(server, student, 1000)
    const { id } = await order(server, student, wanted)
    await configure(alipay)
    const asked = { id, method: 'alipay', device: 'phone' } as const
    expect(await server.ask(contract.order.pay, asked, student.token)).toMatchObject({
      status: 0,
      msg: expect.stringContaining('请先取消'),
    })
    await voidSandboxMoney(server.db, server.clock.now)
    expect(await detail(server, student, id)).toMatchObject({ state: 'cancelled' })
    expect(await accounts(server, student.uid)).toEqual({})
  })

  test('rights that it has bought end, by the wallet or at the sandbox’s own page', async () => {
    const student = await server.student()
    await topUp(server, student, 3000)
    const byWallet = await buy(server, student, wanted)
    const atPage = await buy(server, student, { ...wanted, wallet: false })
    expect(await rightsOf(student)).toEqual(['vip', 'vip'])
    await configure(alipay)
    const voided = await voidSandboxMoney(server.db, server.clock.now)
    expect(voided).toMatchObject({ students: 1, sum: 3000 + 1990 })
    expect(new Set(voided.orders)).toEqual(new Set([byWallet, atPage]))
    expect(await rightsOf(student)).toEqual([])
    expect(await detail(server, student, byWallet)).toMatchObject({
      state: 'refunded',
      refund: { reason: '试用时的沙箱付款，不是真钱，已作废' },
    })
    expect(await accounts(server, student.uid)).toEqual({})
  })

  test('what was paid with money stays, and so does what it has bought', async () => {
    const student = await server.student()
    await topUp(server, student, 1990)
    const first = await buy(server, student, wanted)
    await configure(alipay)
    const asked = { key: randomUUID(), amount: 5000, method: 'alipay', device: 'phone' } as const
    const { id } = await server.call(contract.wallet.topUp, asked, student.token)
    paid.push(id)
    server.clock.now += 60_000
    await settleAll(server)
    expect(await walletOf(student)).toMatchObject({ balance: 5000, frozen: true })
    expect(await voidSandboxMoney(server.db, server.clock.now)).toMatchObject({ sum: 1990, orders: [first] })
    expect(await walletOf(student)).toMatchObject({ balance: 5000, frozen: false })
    await buy(server, student, wanted)
    expect(await rightsOf(student)).toEqual(['vip'])
    expect(await accounts(server, student.uid)).toEqual({ 'outside:alipay': -5000, sales: 1990, wallet: 3010 })
  })

  test('what was bought with money before, by the same wallet, stays', async () => {
    const student = await server.student()
    await configure(alipay)
    const asked = { key: randomUUID(), amount: 5000, method: 'alipay', device: 'phone' } as const
    paid.push((await server.call(contract.wallet.topUp, asked, student.token)).id)
    server.clock.now += 60_000
    await settleAll(server)
    const first = await buy(server, student, wanted)
    await back()
    await topUp(server, student, 1000)
    const second = await buy(server, student, wanted)
    await configure(alipay)
    expect(await voidSandboxMoney(server.db, server.clock.now)).toMatchObject({ sum: 1000, orders: [second] })
    expect(await detail(server, student, first)).toMatchObject({ state: 'completed' })
    expect(await accounts(server, student.uid)).toEqual({ 'outside:alipay': -5000, sales: 1990, wallet: 3010 })
  })

  test('a refund that was on its way to the sandbox, and a payment that nobody has made, come to their end', async () => {
    const student = await server.student()
    const id = await buy(server, student, { ...wanted, wallet: false })
    // Troubles are told by when their payments were begun.
    server.clock.now += 1
    const { id: open } = await order(server, student, { ...wanted, wallet: false })
    await begin(server, student, open)
    server.outage.on = true
    await operate(server.db, id, { kind: 'approve', reason: '课程停办' }, server.clock.now)
    await configure(alipay)
    server.outage.on = false
    expect(await troublesOf(student)).toEqual(['unreturned', 'unheard'])
    await voidSandboxMoney(server.db, server.clock.now)
    expect(await troublesOf(student)).toEqual([])
    expect(await detail(server, student, id)).toMatchObject({ state: 'refunded' })
    expect(await accounts(server, student.uid)).toEqual({})
  })
})

test('where the sandbox is a provider again, nothing is frozen and nothing is voided', async () => {
  const student = await server.student()
  await topUp(server, student, 3000)
  await configure(alipay)
  await back()
  expect(await walletOf(student)).toMatchObject({ balance: 3000, frozen: false })
  expect(await voidSandboxMoney(server.db, server.clock.now)).toEqual({ students: 0, sum: 0, orders: [] })
  const { id } = await order(server, student, { ...wanted, wallet: false })
  await atSandbox(server, await begin(server, student, id), 'pay')
  expect(await rightsOf(student)).toEqual(['vip'])
})
