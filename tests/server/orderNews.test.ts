import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { Change } from '#src/contract/study.ts'
import { lockOrder, move } from '#server/order/store.ts'
import { operate } from '#server/order/operator.ts'
import { bookOf, buy, type Buyer, giveAddress, settleAll, topUp } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { bookJson, booksJson, publishBooks } from '#tests/support/shop.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishBooks(server, booksJson(bookJson('BOOK', 50), bookJson('OTHER', 50)))
})
afterAll(() => server.close())

/** What a device hears that has heard everything up to `cursor`. */
async function heard({ token, uid }: Buyer, cursor = 0): Promise<{ cursor: number; changes: Change[] }> {
  const asked = { device: randomUUID(), owner: uid, proto: 1 as const, sentAt: server.clock.now, cursor, ops: [] }
  return server.call(contract.study.sync, asked, token)
}
const act = (id: string, what: Parameters<typeof operate>[2]) => operate(server.db, id, what, server.clock.now)

test('what the shop does with an order comes with the next sync, the last of it alone; what the student does does not', async () => {
  const student = await server.student()
  await giveAddress(server, student)
  await topUp(server, student, 1000)
  const id = await buy(server, student, { products: [bookOf('BOOK'), bookOf('OTHER')], wallet: true })
  const bought = await heard(student)
  expect(bought.changes).toEqual([])

  await act(id, { kind: 'ship', parcel: { carrier: '邮政', number: 'EMS1' } })
  const shipped = await heard(student, bought.cursor)
  const news = { at: server.clock.now, title: 'BOOK 手册', lines: 2, note: '', refunded: 0 }
  expect(shipped.changes).toEqual([{ kind: 'order', id, body: { ...news, event: 'ship', note: '邮政 EMS1' } }])

  await server.call(contract.order.askRefund, { id, reason: '买错了' }, student.token)
  expect((await heard(student, shipped.cursor)).changes).toEqual([])
  server.clock.now += 1000
  await act(id, { kind: 'decline', reason: '已拆封' })
  const declined = await heard(student, shipped.cursor)
  const later = { ...news, at: server.clock.now }
  expect(declined.changes).toEqual([{ kind: 'order', id, body: { ...later, event: 'decline', note: '已拆封' } }])

  await act(id, { kind: 'approve', reason: '教材停印' })
  expect((await heard(student, declined.cursor)).changes).toEqual([])
  await settleAll(server)
  const [refunded] = (await heard(student)).changes
  expect(refunded).toMatchObject({ kind: 'order', id, body: { event: 'refund', note: '', refunded: 6000 } })
})

test('nothing is told of what did not happen', async () => {
  const student = await server.student()
  await giveAddress(server, student)
  await topUp(server, student, 1000)
  const id = await buy(server, student, { products: [bookOf('BOOK')], wallet: true })
  await expect(act(id, { kind: 'decline', reason: '没有申请' })).rejects.toThrow('没有等待处理')
  const shipping = server.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, student.uid, id)
    if (order) await move(tx, order, 'ship', server.clock.now)
    throw new Error('the machine stopped')
  })
  await expect(shipping).rejects.toThrow('stopped')
  expect((await heard(student)).changes).toEqual([])
})
