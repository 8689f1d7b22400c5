import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { buy, bookOf, detail, giveAddress } from '#tests/support/orders.ts'
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

/** As an operator runs it, while the server runs. */
const orders = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['server/bin/orders.ts', ...args], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: `postgres://postgres@localhost/${server.database}?host=${encodeURIComponent(server.socketFolder)}`,
    },
    encoding: 'utf8',
  })
  return { status, told: stdout + stderr }
}

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
