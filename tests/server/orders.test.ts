import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import {
  atSandbox,
  begin,
  bookOf,
  buy,
  detail,
  giveAddress,
  order,
  payAnother,
  paymentOf,
  settleAll,
  topUp,
} from '#tests/support/orders.ts'
import { runCommand } from '#tests/support/command.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { bookJson, booksJson, publishBooks } from '#tests/support/shop.ts'

// Each test starts several processes: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 })

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  server.clock.now = Date.now()
  await publishBooks(server, booksJson(bookJson('B', 10)))
})
afterAll(() => server.close())

const orders = (...args: string[]) => runCommand(server, 'orders', args)

test('what a student has written is shown on its line, and does nothing to the terminal', async () => {
  const buyer = await server.student()
  await giveAddress(server, buyer)
  const remark = '请快\n20260101  待发货\u001B[2J\u202E'
  const id = await buy(server, buyer, { products: [bookOf('B')], remark })
  const { status, told } = orders('list')
  expect(status).toBe(0)
  expect(told).toContain('  备注：请快 20260101  待发货 [2J')
  expect(told.split('\n').filter((line) => line.includes('待发货'))).toHaveLength(2)
  for (const sign of ['\u001B', '\u202E']) expect(told).not.toContain(sign)
  expect(orders('list', '--json').told).toContain(id)
})

test('an order is sent, and given back with its book in the shop again', async () => {
  const buyer = await server.student()
  await giveAddress(server, buyer)
  const id = await buy(server, buyer, { products: [bookOf('B')] })
  expect(orders('ship', id, '邮政', 'EMS1')).toEqual({ status: 0, told: `订单 ${id}：已发货\n` })
  expect(orders('ship', id, '邮政', 'EMS1')).toEqual({ status: 1, told: '该订单不是待发货\n' })
  expect(orders('refund', id)).toEqual({
    status: 1,
    told: '学生没有申请退款；主动退款请用 --reason 写明原因，学生会看到\n',
  })
  await server.call(contract.order.askRefund, { id, reason: '买错了' }, buyer.token)
  expect(orders('list').told).toContain('退款原因：买错了')
  const stock = async () => (await server.db.selectFrom('book_variant').select('stock').executeTakeFirstOrThrow()).stock
  const before = await stock()
  expect(orders('refund', id, '--restock').status).toBe(0)
  expect(await stock()).toBe(before + 1)
  expect((await detail(server, buyer, id)).refund?.approvedAt).not.toBeNull()
})

test('what is wrong with a payment is listed with what to do about it, and done once', async () => {
  const buyer = await server.student()
  await giveAddress(server, buyer)
  const { id } = await order(server, buyer, { products: [bookOf('B')] })
  const url = await begin(server, buyer, id)
  const due = (await detail(server, buyer, id)).due
  expect(orders('troubles')).toEqual({ status: 0, told: '没有需要人工处理的款项\n' })
  await payAnother(server, url, due - 1)
  const payment = paymentOf(url)
  const yuan = (fen: number) => `¥${(fen / 100).toFixed(2)}`
  const { status, told } = orders('troubles')
  expect(status).toBe(0)
  for (const words of [
    `${payment}  金额不符`,
    `订单 ${id}，应付 ${yuan(due)}，到账 ${yuan(due - 1)}，学生 ${buyer.mobile}`,
    `return ${payment}`,
  ])
    expect(told).toContain(words)
  expect(JSON.parse(orders('troubles', '--json').told)).toMatchObject([{ id: payment, came: due - 1 }])
  for (const wrong of [['paid', '--reason', '到账'], ['unpaid'], ['lost', '--reason', '到账']])
    expect(orders('resolve', payment, ...wrong).status).toBe(2)
  expect(orders('resolve', payment, 'unpaid', '--reason', '没有到账')).toMatchObject({ status: 1 })
  expect(orders('return', payment)).toEqual({ status: 0, told: `支付单 ${payment}：已处理\n` })
  expect(orders('return', payment)).toMatchObject({ status: 1 })
  server.clock.now = Date.now()
  await settleAll(server)
  expect(orders('troubles').told).toBe('没有需要人工处理的款项\n')
  await atSandbox(server, await begin(server, buyer, id), 'pay')

  // There are no such goods any more.
  const refund = ['refund', id, '--reason', '教材停印，无法发货', '--no-restock']
  expect(orders(...refund)).toEqual({ status: 0, told: `订单 ${id}：退款中\n` })
  expect(orders(...refund)).toEqual({ status: 1, told: '该订单的退款已经办理\n' })
  server.clock.now = Date.now()
  await settleAll(server)
  expect(orders(...refund)).toEqual({ status: 1, told: '该订单已经退款\n' })
})

test('a wallet is paid out by the mobile, once', async () => {
  const buyer = await server.student()
  await topUp(server, buyer, 1250)
  expect(orders('payout', buyer.mobile)).toEqual({ status: 0, told: '从 1 笔充值原路退回 ¥12.50\n' })
  expect(orders('payout', buyer.mobile)).toEqual({ status: 1, told: '钱包里没有余额\n' })
  expect(orders('payout', '13000000000')).toEqual({ status: 1, told: '没有手机号或订单号为 13000000000 的学生\n' })
})

test('who uses it wrong is told how, and nothing is done', () => {
  const uses = [
    [],
    ['lost'],
    ['refund'],
    ['refund', '1', '2'],
    ['refund', '1', '--reason', ' '],
    ['payout'],
    ['troubles', '1'],
    ['--wrong'],
  ]
  for (const use of uses) {
    const { status, told } = orders(...use)
    expect({ use, status }).toEqual({ use, status: 2 })
    expect(told).toContain('用法：npm run orders')
  }
  expect(orders('--help')).toMatchObject({ status: 0 })
})
