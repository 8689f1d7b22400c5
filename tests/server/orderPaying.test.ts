import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { askOne } from '#server/order/payments.ts'
import { atSandbox, begin, bookOf, buy, giveAddress, order, vipOf } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { bookJson, booksJson, packageJson, publishBooks, publishVip, vipJson } from '#tests/support/shop.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(server, vipJson(packageJson('V', { title: '月月会员' }), packageJson('W')))
  const book = bookJson('B', 1)
  await publishBooks(server, booksJson({ ...book, title: '一'.repeat(45) }))
})
afterAll(() => server.close())

test('an order says whether a payment of it is open, by which the page goes on asking', async () => {
  const student = await server.student()
  const { id } = await order(server, student, { products: [vipOf('V')] })
  const state = () => server.call(contract.order.state, { id }, student.token)
  expect(await state()).toEqual({ state: 'pending', open: false })
  const url = await begin(server, student, id)
  expect(await state()).toEqual({ state: 'pending', open: true })
  await atSandbox(server, url, 'fail')
  // A look within the same second is not worth a call.
  server.clock.now += 60_000
  expect(await state()).toEqual({ state: 'pending', open: false })
  await atSandbox(server, await begin(server, student, id), 'pay')
  expect(await state()).toEqual({ state: 'completed', open: false })
})

test('an order that is paid cannot be cancelled, and says what can be done instead', async () => {
  const student = await server.student()
  const id = await buy(server, student, { products: [vipOf('V')] })
  expect((await server.ask(contract.order.cancel, { id }, student.token)).msg).toBe(
    '订单已经支付，不能取消；需要时可以申请退款',
  )
})

test('a top-up of which its provider says nothing is not closed, however long its time is over', async () => {
  const provider = server.desk.providers.get('sandbox')
  if (!provider) throw new Error('no sandbox')
  const student = await server.student()
  const wanted = { key: randomUUID(), amount: 1000, method: 'sandbox', device: 'phone' } as const
  await server.call(contract.wallet.topUp, wanted, student.token)
  server.clock.now += 86_400_000
  const silent = vi.spyOn(provider, 'find').mockRejectedValue(new Error('nobody answers'))
  const closed = vi.spyOn(provider, 'close')
  while (await askOne(server.desk, server.clock.now));
  expect(silent).toHaveBeenCalled()
  expect(closed).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})

test('a payment that its provider cannot close is given up only when its time is long over', async () => {
  const provider = server.desk.providers.get('sandbox')
  if (!provider) throw new Error('no sandbox')
  vi.spyOn(provider, 'close').mockResolvedValue()
  vi.spyOn(provider, 'find').mockResolvedValue({ state: 'open' })
  const student = await server.student()
  const { id } = await order(server, student, { products: [vipOf('V')] })
  await begin(server, student, id)
  const payment = () =>
    server.db.selectFrom('payment').select(['state', 'expires_at']).where('order_id', '=', id).executeTakeFirstOrThrow()
  const { expires_at } = await payment()
  await server.call(contract.order.cancel, { id }, student.token)
  expect((await payment()).state).toBe('open')
  const at = async (now: number) => {
    server.clock.now = now
    await server.db.updateTable('payment').set({ ask_at: 0 }).where('order_id', '=', id).execute()
    while (await askOne(server.desk, now));
    return (await payment()).state
  }
  expect(await at(expires_at + 10 * 60_000 - 1)).toBe('open')
  expect(await at(expires_at + 10 * 60_000)).toBe('closed')
  vi.restoreAllMocks()
})

test('a notice for a provider that nobody has set up is turned away', async () => {
  const answer = await server.app.inject({ method: 'POST', url: '/pay/notify/nobody', payload: '{}' })
  expect(answer.statusCode).toBe(404)
})

test('what a book costs to send is told with the address, and asked for without one', async () => {
  const student = await server.student()
  const choices = { products: [bookOf('B')], wallet: false }
  const told = async () => (await server.call(contract.order.preview, choices, student.token)).freightWhy
  expect(await told()).toBe('填写收货地址后计算')
  await giveAddress(server, student)
  expect(await told()).not.toBe('填写收货地址后计算')
})

test.each([
  ['by its title', [vipOf('V')], /^月月会员[^等]*$/],
  ['by the first title and how many more', [vipOf('V'), vipOf('W')], /^月月会员.* 等 2 种$/],
  ['by no more than 40 characters', [bookOf('B')], /^一{39}…$/],
])('an order of the provider is named %s', async (_, products, title) => {
  const provider = server.desk.providers.get('sandbox')
  if (!provider) throw new Error('no sandbox')
  const begun = vi.spyOn(provider, 'begin')
  const student = await server.student()
  await giveAddress(server, student)
  const { id } = await order(server, student, { products })
  await begin(server, student, id)
  expect(begun.mock.lastCall?.[0].title).toMatch(title)
  begun.mockRestore()
})
