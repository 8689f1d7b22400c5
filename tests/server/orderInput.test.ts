import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { bookOf, giveAddress } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { bookJson, booksJson, publishBooks } from '#tests/support/shop.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishBooks(server, booksJson(bookJson('B', 1000)))
})
afterAll(() => server.close())

test('the same asked for twice is one line, and no way around the most that is sold at once', async () => {
  const buyer = await server.student()
  await giveAddress(server, buyer)
  const products = [bookOf('B', 99), bookOf('B', 99)]
  const quote = await server.call(contract.order.preview, { products, wallet: false }, buyer.token)
  expect(quote.lines).toMatchObject([{ quantity: 198, shut: true }])
  expect(quote.problem).toContain('一次最多买 99 件')
  const wanted = { products, wallet: false, key: randomUUID(), expect: quote.due, remark: '' }
  expect((await server.ask(contract.order.create, wanted, buyer.token)).msg).toContain('一次最多买 99 件')
})
