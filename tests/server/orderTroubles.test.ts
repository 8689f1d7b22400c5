import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { PAY_MS } from '#src/domain/money/order.ts'
import { operate, payOutWallet } from '#server/order/operator.ts'
import { listTroubles, type Outcome, resolve } from '#server/order/troubles.ts'
import {
  accounts,
  atSandbox,
  begin,
  type Buyer,
  buy,
  detail,
  order,
  payAnother,
  paymentOf,
  settleAll,
  topUp,
  vipOf,
} from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

const DAY = 86_400_000
const GONE = 'sandbox is not configured any more: npm run orders -- troubles'
let server: TestServer
let providers: TestServer['desk']['providers']
beforeAll(async () => {
  server = await startServer()
  providers = server.desk.providers
  await publishVip(server, vipJson(packageJson('V')))
})
afterAll(() => server.close())
afterEach(async () => {
  configured(true)
  // What a test has left must not be in the next one's list.
  for (let n = 0; n < 3; n++) {
    server.clock.now += DAY
    await settleAll(server)
    for (const { id, kind } of await troubles()) await end(id, { kind: kind === 'unheard' ? 'unpaid' : 'returned' })
  }
  server.troubles.length = 0
})

const configured = (is: boolean) => Object.assign(server.desk, { providers: is ? providers : new Map<never, never>() })
const troubles = () => listTroubles(server.db, server.clock.now)
const end = (id: string, outcome: Outcome) => resolve(server.db, id, outcome, '已在商户平台核对', server.clock.now)
const payOut = ({ mobile }: { mobile: string }) => payOutWallet(server.db, mobile, server.clock.now)
const stateOf = async (student: Buyer, id: string) => (await detail(server, student, id)).state
const told = () => server.troubles.map((error) => (error instanceof Error ? error.message : String(error)))
const onlyPayment = async ({ uid }: Buyer) =>
  (await server.db.selectFrom('payment').select('id').where('uid', '=', uid).executeTakeFirstOrThrow()).id
const refundedOf = async (id: string) =>
  (
    await server.db
      .selectFrom('sandbox_payment')
      .select(['refunded', 'refunds'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).refunded

test('what is no payment is told so', async () => {
  await expect(end('P_unknown', { kind: 'unpaid' })).rejects.toThrow('没有支付单 P_unknown')
})

describe('a payment of another sum than was asked for', () => {
  test.each([1989, 1991])('%i fen for an order: kept apart, shown, and given back once to who paid', async (came) => {
    const student = await server.student()
    const { id } = await order(server, student, { products: [vipOf('V')] })
    const url = await begin(server, student, id)
    const taken: boolean[] = []
    server.deliver.to = async (notice) => {
      // It comes twice, and is taken each time.
      for (let n = 0; n < 2; n++) taken.push(await server.notify(notice))
      return true
    }
    await payAnother(server, url, came)
    server.deliver.to = server.notify
    expect(taken).toEqual([true, true])
    await settleAll(server)
    expect(told()).toEqual([`paid ${came} fen instead of 1990: npm run orders -- troubles`])
    expect(await stateOf(student, id)).toBe('pending')
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -came, held: came })
    const payment = paymentOf(url)
    const { mobile } = student
    expect(await troubles()).toMatchObject([{ id: payment, kind: 'differs', order: id, mobile, amount: 1990, came }])

    // It can be paid again meanwhile, and that one is not given back.
    const again = await begin(server, student, id)
    expect(paymentOf(again)).not.toBe(payment)
    await atSandbox(server, again, 'pay')
    expect(await stateOf(student, id)).toBe('completed')

    await end(payment, { kind: 'return' })
    await expect(end(payment, { kind: 'return' })).rejects.toThrow('没有等待人工处理')
    await settleAll(server)
    await settleAll(server)
    expect(await refundedOf(payment)).toBe(came)
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1990, sales: 1990 })
    expect(await stateOf(student, id)).toBe('completed')
    expect(await troubles()).toEqual([])
  })

  test('for an order that ends meanwhile goes back as well, and for a top-up is in no wallet', async () => {
    const student = await server.student()
    const { id } = await order(server, student, { products: [vipOf('V')] })
    const url = await begin(server, student, id)
    const wanted = { key: randomUUID(), amount: 1000, method: 'sandbox', device: 'phone' } as const
    const { id: topUpId, way } = await server.call(contract.wallet.topUp, wanted, student.token)
    await payAnother(server, url, 1)
    await payAnother(server, way.kind === 'go' ? way.url : '', 2000)
    expect(await server.call(contract.wallet.topUpState, { id: topUpId }, student.token)).toEqual({
      state: 'differs',
      balance: 0,
    })
    expect(await server.call(contract.user.openMatters, {}, student.token)).toContain(
      '还有付款金额不符，款项没有退回，请联系客服',
    )
    server.clock.now += PAY_MS
    await settleAll(server)
    expect(await stateOf(student, id)).toBe('cancelled')
    for (const each of await troubles()) await end(each.id, { kind: 'return' })
    await settleAll(server)
    expect(await accounts(server, student.uid)).toEqual({})
    expect(await stateOf(student, id)).toBe('cancelled')
  })

  test('that the operator gave back elsewhere is said so, and not sent again', async () => {
    const student = await server.student()
    const { id } = await order(server, student, { products: [vipOf('V')] })
    const url = await begin(server, student, id)
    await payAnother(server, url, 7)
    await end(paymentOf(url), { kind: 'returned' })
    await settleAll(server)
    expect(await refundedOf(paymentOf(url))).toBe(0)
    expect(await accounts(server, student.uid)).toEqual({})
  })
})

/** Makes another provider the one that is gone: money of the sandbox would be none. */
const takenByWeChat = (...ids: (string | undefined)[]) =>
  server.db
    .updateTable('payment')
    .set({ provider: 'wechat' })
    .where(
      'id',
      'in',
      ids.filter((id) => id !== undefined),
    )
    .execute()

describe('a provider that is not configured any more', () => {
  test('is told of once for each payment, and asked no more; configured again it is asked again', async () => {
    const student = await server.student()
    const { id } = await order(server, student, { products: [vipOf('V')] })
    const url = await begin(server, student, id)
    configured(false)
    for (let n = 0; n < 3; n++) {
      server.clock.now += 60_000
      await settleAll(server)
      await server.call(contract.order.state, { id }, student.token)
    }
    expect(told()).toEqual([GONE])
    const { asked } = await server.db
      .selectFrom('payment')
      .select('asked')
      .where('id', '=', paymentOf(url))
      .executeTakeFirstOrThrow()
    expect(asked).toBe(0)
    const waiting = (await troubles()).filter(({ kind }) => kind !== 'unreal')
    expect(waiting).toMatchObject([{ id: paymentOf(url), kind: 'unheard', gone: true }])
    configured(true)
    await settleAll(server)
    expect(await troubles()).toEqual([])
    await expect(end(paymentOf(url), { kind: 'unpaid' })).rejects.toThrow('没有等待人工处理')
    server.deliver.to = async () => false
    await atSandbox(server, url, 'pay')
    server.deliver.to = server.notify
    server.clock.now += 1000
    expect((await server.call(contract.order.state, { id }, student.token)).state).toBe('completed')
  })

  test('its payments are ended by hand: paid, not paid, and given back', async () => {
    const [payer, other] = [await server.student(), await server.student()]
    const paid = await order(server, payer, { products: [vipOf('V')] })
    const unpaid = await order(server, other, { products: [vipOf('V')] })
    const [one, two] = [await begin(server, payer, paid.id), await begin(server, other, unpaid.id)].map(paymentOf)
    await takenByWeChat(one, two)
    await settleAll(server)
    await expect(end(one ?? '', { kind: 'returned' })).rejects.toThrow('没有查到结果')
    await end(one ?? '', { kind: 'paid', ref: 'T1', amount: null })
    await end(two ?? '', { kind: 'unpaid' })
    await expect(end(one ?? '', { kind: 'paid', ref: 'T1', amount: null })).rejects.toThrow('没有等待人工处理')
    expect(await stateOf(payer, paid.id)).toBe('completed')
    expect(await accounts(server, payer.uid)).toEqual({ 'outside:wechat': -1990, sales: 1990 })
    expect(await accounts(server, other.uid)).toEqual({})

    await operate(server.db, paid.id, { kind: 'approve', reason: '课程停办' }, server.clock.now)
    await settleAll(server)
    expect(await stateOf(payer, paid.id)).toBe('refunding')
    expect(await troubles()).toMatchObject([{ id: one, kind: 'unreturned', gone: true, owed: 1990, ref: 'T1' }])
    await end(one ?? '', { kind: 'returned' })
    expect(await stateOf(payer, paid.id)).toBe('refunded')
    expect(await accounts(server, payer.uid)).toEqual({})
    server.clock.now += PAY_MS * 5
    await settleAll(server)
    expect(await stateOf(other, unpaid.id)).toBe('cancelled')
    const log = await server.db.selectFrom('operator_log').select('after').orderBy('id').execute()
    expect(log.map(({ after }) => after)).toEqual(
      expect.arrayContaining([`${one} 人工确认已付：已在商户平台核对`, `${one} 人工确认已退回：已在商户平台核对`]),
    )
  })

  test('another sum that it took is kept apart as if it had said so', async () => {
    const student = await server.student()
    const { id } = await order(server, student, { products: [vipOf('V')] })
    const payment = paymentOf(await begin(server, student, id))
    await takenByWeChat(payment)
    await settleAll(server)
    await end(payment, { kind: 'paid', ref: 'T2', amount: 5 })
    expect(await troubles()).toMatchObject([{ id: payment, kind: 'differs', came: 5 }])
    expect(await accounts(server, student.uid)).toEqual({ 'outside:wechat': -5, held: 5 })
  })
})

test('a refund that the provider refuses is shown, and ended by hand', async () => {
  const student = await server.student()
  const id = await buy(server, student, { products: [vipOf('V')] })
  const payment = await onlyPayment(student)
  // The student's card is gone.
  await server.db.updateTable('sandbox_payment').set({ state: 'closed' }).where('id', '=', payment).execute()
  await operate(server.db, id, { kind: 'approve', reason: '课程停办' }, server.clock.now)
  expect(await troubles()).toEqual([])
  await expect(end(payment, { kind: 'returned' })).rejects.toThrow('没有等待人工处理')
  await settleAll(server)
  expect(await troubles()).toMatchObject([{ id: payment, kind: 'unreturned', gone: false, owed: 1990 }])
  await end(payment, { kind: 'returned' })
  expect(await stateOf(student, id)).toBe('refunded')
  expect(await accounts(server, student.uid)).toEqual({})
})

test('what a provider does not answer for a day is shown, too', async () => {
  const student = await server.student()
  await topUp(server, student, 1000)
  await payOut(student)
  server.clock.now += 1
  const { id } = await order(server, student, { products: [vipOf('V')] })
  await begin(server, student, id)
  server.outage.on = true
  server.clock.now += DAY - 2
  await settleAll(server)
  expect(await troubles()).toEqual([])
  server.clock.now += PAY_MS + 2
  expect((await troubles()).map(({ kind, gone }) => ({ kind, gone }))).toEqual([
    { kind: 'unreturned', gone: false },
    { kind: 'unheard', gone: false },
  ])
  server.outage.on = false
})
