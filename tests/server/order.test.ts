import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { PAY_MS } from '#src/domain/money/order.ts'
import {
  accounts,
  atSandbox,
  begin,
  buy,
  detail,
  giveCoupon,
  order,
  paymentOf,
  settleAll,
  topUp,
  vipOf,
  wantedOf,
} from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

const DAY = 86_400_000
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(server, vipJson(packageJson('V'), packageJson('W')))
})
afterAll(() => server.close())

const until = async (uid: string, no = 'V') =>
  (
    await server.db
      .selectFrom('entitlement')
      .select('until')
      .where('uid', '=', uid)
      .where('no', '=', no)
      .executeTakeFirst()
  )?.until

describe('a purchase', () => {
  test('is paid at the provider, and gives its right in the same moment', async () => {
    const student = await server.student()
    const { id, state } = await order(server, student, { products: [vipOf('V')] })
    expect(state).toBe('pending')
    expect(await until(student.uid)).toBeUndefined()
    await atSandbox(server, await begin(server, student, id), 'pay')
    const paid = await detail(server, student, id)
    expect(paid).toMatchObject({
      state: 'completed',
      due: 1990,
      wallet: 0,
      method: 'sandbox',
      paidAt: server.clock.now,
    })
    expect(await until(student.uid)).toBe(server.clock.now + 30 * DAY)
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1990, sales: 1990 })
    expect(server.troubles).toEqual([])
  })

  test('of what one has extends it; twice of one duration is twice as long', async () => {
    const student = await server.student()
    const notes = async (quantity: number) => {
      const choices = { products: [vipOf('V', 'V_month', quantity)], wallet: false }
      return (await server.call(contract.order.preview, choices, student.token)).lines.map(({ note }) => note)
    }
    expect(await notes(2)).toEqual(['有效期 60 天'])
    await buy(server, student, { products: [vipOf('V')] })
    expect(await notes(1)).toEqual(['有效期 30 天，接在现有有效期之后'])
    await buy(server, student, { products: [vipOf('V', 'V_month', 2)] })
    expect(await until(student.uid)).toBe(server.clock.now + 90 * DAY)
  })

  test('made again with the same key is the same order, and takes the wallet once', async () => {
    const student = await server.student()
    await topUp(server, student, 5000)
    const wanted = await wantedOf(server, student, { products: [vipOf('V'), vipOf('W', 'W_month', 3)], wallet: true })
    const made = await Promise.all([1, 2, 3].map(() => server.call(contract.order.create, wanted, student.token)))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -5000, held: 5000 })
    expect(await detail(server, student, made[0]?.id ?? '')).toMatchObject({ wallet: 5000, due: 2960 })
  })

  test('is refused when the sum is not the one that was seen', async () => {
    const student = await server.student()
    const wanted = await wantedOf(server, student, { products: [vipOf('V')] })
    const cheap = { ...wanted, expect: 1, key: randomUUID(), price: 1 }
    expect((await server.ask(contract.order.create, cheap, student.token)).msg).toContain('价格、运费或优惠有变化')
  })

  test('paid by the wallet alone needs no provider', async () => {
    const student = await server.student()
    await topUp(server, student, 5000)
    const { id, state } = await order(server, student, { products: [vipOf('V')], wallet: true })
    expect(state).toBe('completed')
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -5000, sales: 1990, wallet: 3010 })
    expect((await detail(server, student, id)).method).toBeNull()
  })

  test('is paid from the wallet later, whole or what is left of it, when that has enough', async () => {
    const student = await server.student()
    await topUp(server, student, 1000)
    const pay = (id: string) => server.ask(contract.order.pay, { id, method: 'wallet', device: 'phone' }, student.token)
    const whole = await order(server, student, { products: [vipOf('V')] })
    const short = { status: 0, msg: '钱包余额不足，请先充值或换一种支付方式', data: null }
    expect(await pay(whole.id)).toEqual(short)
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1000, wallet: 1000 })
    await topUp(server, student, 990)
    expect(await pay(whole.id)).toMatchObject({ status: 1, data: { state: 'completed' } })
    // Asked for again, it has been done.
    expect(await pay(whole.id)).toMatchObject({ status: 1, data: { state: 'completed' } })
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1990, sales: 1990 })

    await topUp(server, student, 500)
    const rest = await order(server, student, { products: [vipOf('W')], wallet: true })
    await topUp(server, student, 1489)
    expect(await pay(rest.id)).toEqual(short)
    await topUp(server, student, 101)
    expect(await pay(rest.id)).toMatchObject({ status: 1, data: { state: 'completed' } })
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -4080, sales: 3980, wallet: 100 })
  })

  test('stands in the wallet with what it was of, by month or of all time', async () => {
    const student = await server.student()
    await topUp(server, student, 20_000)
    const lines = [vipOf('W', 'W_month', 2), vipOf('V')]
    const { id } = await order(server, student, { products: lines, wallet: true })
    const [first] = (await detail(server, student, id)).lines
    const month = dateOf(dayOf(server.clock.now)).slice(0, 7)
    const of = (input: { month?: string }) => server.call(contract.user.myWalletRecord, input, student.token)
    const { records } = await of({ month })
    expect(records).toMatchObject([
      { kind: 'pay', order: id, goods: { title: first?.title, quantity: 3 } },
      { kind: 'topUp', order: null, goods: null },
    ])
    expect((await of({ month: '2020-01' })).records).toEqual([])
    expect(await of({})).toEqual(await of({ month }))
  })

  test('says how much more the best coupon would save where the student takes another or none', async () => {
    const student = await server.student()
    const less = await giveCoupon(server, student)
    const best = await giveCoupon(server, student, { no: 'C_more', off_kind: 'percent', off_value: 90, title: '一折' })
    const why = async (coupon: string) => {
      const quote = { products: [vipOf('V')], wallet: false, coupon }
      return (await server.call(contract.order.preview, quote, student.token)).couponWhy
    }
    expect(await why(less)).toBe('“一折”还能多省 ¥7.91')
    expect(await why(best)).toBe('已选最省的一张')
    expect(await why('')).toBe('没有使用优惠券')
  })

  test('takes the best coupon, and gives it back with the wallet when it is cancelled', async () => {
    const student = await server.student()
    await giveCoupon(server, student)
    const best = await giveCoupon(server, student, { no: 'C_best', off_kind: 'percent', off_value: 90, title: '一折' })
    await topUp(server, student, 100)
    const { id } = await order(server, student, { products: [vipOf('V')], wallet: true })
    expect(await detail(server, student, id)).toMatchObject({ discount: 1791, wallet: 100, due: 99, coupon: '一折' })
    const again = await server.call(contract.order.preview, { products: [vipOf('V')], wallet: true }, student.token)
    expect(again).toMatchObject({ discount: 1000, balance: 0, couponWhy: '已选最省的一张' })
    await server.call(contract.order.cancel, { id }, student.token)
    const back = await server.call(contract.order.preview, { products: [vipOf('V')], wallet: true }, student.token)
    expect(back).toMatchObject({ coupon: best, balance: 100 })
  })
})

describe('a payment that would have no time', () => {
  const LAST = 90_000

  test('is not begun for an order: WeChat takes none of less than a minute. The wallet needs no time', async () => {
    const student = await server.student()
    await topUp(server, student, 2000)
    const made = await order(server, student, { products: [vipOf('V')] })
    const pay = (method: 'sandbox' | 'wallet') =>
      server.ask(contract.order.pay, { id: made.id, method, device: 'phone' }, student.token)
    server.clock.now += PAY_MS - LAST
    expect(await pay('sandbox')).toMatchObject({ status: 1 })
    server.clock.now += 1
    const msg = '离支付截止不到 1 分半钟，来不及支付，请取消后重新下单，或用钱包支付'
    expect(await pay('sandbox')).toEqual({ status: 0, msg, data: null })
    expect(await pay('wallet')).toMatchObject({ status: 1, data: { state: 'completed' } })
  })

  test('is not taken from the wallet either from the moment when the order is over', async () => {
    const student = await server.student()
    await topUp(server, student, 5000)
    const [late, inTime] = [
      await order(server, student, { products: [vipOf('V')] }),
      await order(server, student, { products: [vipOf('V')] }),
    ]
    const pay = ({ id }: { id: string }) =>
      server.ask(contract.order.pay, { id, method: 'wallet', device: 'phone' }, student.token)
    server.clock.now += PAY_MS - 1
    expect(await pay(inTime)).toMatchObject({ status: 1, data: { state: 'completed' } })
    server.clock.now += 1
    expect(await pay(late)).toEqual({ status: 0, msg: '订单已超过支付时间，请重新下单', data: null })
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -5000, sales: 1990, wallet: 3010 })
  })

  test('nor again for a top-up', async () => {
    const student = await server.student()
    const wanted = { key: randomUUID(), amount: 1000, method: 'sandbox', device: 'phone' } as const
    const again = () => server.ask(contract.wallet.topUp, wanted, student.token)
    expect(await again()).toMatchObject({ status: 1 })
    server.clock.now += PAY_MS - LAST
    expect(await again()).toMatchObject({ status: 1 })
    server.clock.now += 1
    expect(await again()).toMatchObject({ status: 0, msg: '这次充值快到截止时间了，请关闭后重新充值' })
  })
})

describe('a payment that was begun on a computer', () => {
  /** An order with a code on the computer's screen. */
  async function scanned() {
    const student = await server.student()
    const { id } = await order(server, student, { products: [vipOf('V')] })
    const { way } = await server.call(contract.order.pay, { id, method: 'sandbox', device: 'desktop' }, student.token)
    if (way?.kind !== 'scan') throw new Error('no code')
    return { student, id, code: way.text }
  }
  const paymentsOf = async (id: string) =>
    server.db.selectFrom('payment').select(['id', 'device', 'state']).where('order_id', '=', id).orderBy('id').execute()
  const standing = async (url: string) => (await server.desk.providers.get('sandbox')?.find(paymentOf(url)))?.state

  test('is another one on a phone, and is closed at the provider when that is paid', async () => {
    const { student, id, code } = await scanned()
    const url = await begin(server, student, id)
    expect(paymentOf(url)).not.toBe(paymentOf(code))
    expect(await begin(server, student, id)).toBe(url)
    expect(await paymentsOf(id)).toEqual(
      [
        { id: paymentOf(code), device: 'desktop', state: 'open' },
        { id: paymentOf(url), device: 'phone', state: 'open' },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
    await atSandbox(server, url, 'pay')
    expect((await detail(server, student, id)).state).toBe('completed')
    await settleAll(server)
    expect(await standing(code)).toBe('closed')
    // Scanned now, it takes no money.
    await atSandbox(server, code, 'pay')
    expect(await standing(code)).toBe('closed')
    expect((await paymentsOf(id)).map(({ state }) => state).toSorted()).toEqual(['closed', 'paid'])
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1990, sales: 1990 })
  })

  test('is closed at once when the order is paid from the wallet on a phone', async () => {
    const { student, id, code } = await scanned()
    await topUp(server, student, 2000)
    await server.call(contract.order.pay, { id, method: 'wallet', device: 'phone' }, student.token)
    expect(await standing(code)).toBe('closed')
    expect(await paymentsOf(id)).toMatchObject([{ state: 'closed' }])
  })

  test('is closed by the job when the provider could not be reached as the order was cancelled', async () => {
    const { student, id, code } = await scanned()
    server.outage.on = true
    await server.call(contract.order.cancel, { id }, student.token)
    server.outage.on = false
    expect(await standing(code)).toBe('open')
    server.clock.now += 10_000
    await settleAll(server)
    expect(await standing(code)).toBe('closed')
    server.troubles.length = 0
  })

  test('that is paid as well gives its money back', async () => {
    const { student, id, code } = await scanned()
    await atSandbox(server, await begin(server, student, id), 'pay')
    await atSandbox(server, code, 'pay')
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -3980, held: 1990, sales: 1990 })
    await settleAll(server)
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1990, sales: 1990 })
    expect((await detail(server, student, id)).state).toBe('completed')
  })
})

describe('the truth of a payment', () => {
  test('comes without a notice, from who is asked', async () => {
    const student = await server.student()
    const { id } = await order(server, student, { products: [vipOf('V')] })
    const url = await begin(server, student, id)
    server.deliver.to = async () => false
    await atSandbox(server, url, 'pay')
    server.deliver.to = server.notify
    expect((await detail(server, student, id)).state).toBe('pending')
    expect((await server.call(contract.order.state, { id }, student.token)).state).toBe('completed')
  })

  test('comes by the job when nobody looks, also when its time is over', async () => {
    const student = await server.student()
    const { id } = await order(server, student, { products: [vipOf('V')] })
    const url = await begin(server, student, id)
    server.deliver.to = async () => false
    await atSandbox(server, url, 'pay')
    server.deliver.to = server.notify
    server.clock.now += PAY_MS + 1
    await settleAll(server)
    expect((await detail(server, student, id)).state).toBe('completed')
  })

  test('that comes twice changes nothing; altered or old it is not believed', async () => {
    const student = await server.student()
    const { id } = await order(server, student, { products: [vipOf('V')] })
    const url = await begin(server, student, id)
    const notices: Parameters<TestServer['notify']>[0][] = []
    server.deliver.to = async (notice) => notices.push(notice) > 0
    await atSandbox(server, url, 'pay')
    server.deliver.to = server.notify
    const [notice] = notices
    if (!notice) throw new Error('no notice')
    const altered = { ...notice, body: notice.body.replace('1990', '1991') }
    expect(await server.notify(altered)).toBe(false)
    expect((await detail(server, student, id)).state).toBe('pending')
    const now = server.clock.now
    server.clock.now += 6 * 60_000
    expect(await server.notify(notice)).toBe(false)
    server.clock.now = now
    expect(await Promise.all([1, 2, 3].map(() => server.notify(notice)))).toEqual([true, true, true])
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1990, sales: 1990 })
    expect(await until(student.uid)).toBe(now + 30 * DAY)
  })

  test('for an order that was cancelled goes back', async () => {
    const student = await server.student()
    const { id } = await order(server, student, { products: [vipOf('V')] })
    const url = await begin(server, student, id)
    // The provider could not be reached when it was cancelled, so the payment stood open.
    await server.db
      .updateTable('orders')
      .set({ state: 'cancelled', cancelled_at: server.clock.now })
      .where('id', '=', id)
      .execute()
    await atSandbox(server, url, 'pay')
    const { state, refund } = await detail(server, student, id)
    expect({ state, reason: refund?.reason }).toEqual({ state: 'refunding', reason: '订单取消后收到付款，自动退回' })
    await settleAll(server)
    expect((await detail(server, student, id)).state).toBe('refunded')
    expect(await accounts(server, student.uid)).toEqual({})
    expect(await until(student.uid)).toBeUndefined()
  })

  test('ends an order that nobody pays, and its payment at the provider', async () => {
    const student = await server.student()
    const { id } = await order(server, student, { products: [vipOf('V')] })
    const url = await begin(server, student, id)
    server.clock.now += PAY_MS
    await settleAll(server)
    expect((await detail(server, student, id)).state).toBe('cancelled')
    await atSandbox(server, url, 'pay')
    expect((await detail(server, student, id)).state).toBe('cancelled')
    expect(await accounts(server, student.uid)).toEqual({})
  })
})

test.each([
  ['pending', '订单还没有付款，不能确认收货；请先付款'],
  ['paid', '订单还没有发货，不能确认收货；请收到后再确认'],
  ['cancelled', '订单已取消，不能确认收货；需要时请重新下单'],
  ['refunding', '退款处理中，不用确认收货；退款没有通过时可以再确认'],
  ['refunded', '订单已退款，不用确认收货'],
  ['completed', ''],
] as const)('an order that is %s is not received: %s', async (state, why) => {
  const student = await server.student()
  const { id } = await order(server, student, { products: [vipOf('V')] })
  await server.db.updateTable('orders').set({ state }).where('id', '=', id).execute()
  expect((await server.ask(contract.order.receive, { id }, student.token)).msg).toBe(why)
  expect((await detail(server, student, id)).state).toBe(state)
})
