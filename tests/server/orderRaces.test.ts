import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { makeCode, makeCoupon } from '#tests/support/coupons.ts'
import { bookOf, giveAddress, wantedOf } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { bookJson, booksJson, publishBooks } from '#tests/support/shop.ts'

const COPIES = 10
const BUYERS = 200
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishBooks(server, booksJson(bookJson('B', COPIES)))
  await makeCoupon(server, 'C')
})
afterAll(() => server.close())

const stock = async (variant = 'B_1') =>
  (await server.db.selectFrom('book_variant').select('stock').where('no', '=', variant).executeTakeFirstOrThrow()).stock

/** A student with an address. */
async function newBuyer() {
  const student = await server.student()
  await giveAddress(server, student)
  return student
}

test('200 buyers at once for the last 10 copies and a code of one use: 10 orders, one coupon, and all of it comes back', async () => {
  const buyers = await Promise.all(Array.from({ length: BUYERS }, newBuyer))
  const code = await makeCode(server, { coupon: 'C' })
  const products = [bookOf('B')]
  // Everybody has seen that there are some left before anybody orders.
  const wanted = await Promise.all(buyers.map((buyer) => wantedOf(server, buyer, { products })))
  const [redeemed, made] = await Promise.all([
    Promise.all(buyers.map(({ token }) => server.ask(contract.coupon.redeem, { code }, token))),
    // With the coupon meanwhile, the sum is still the one that was seen: none was chosen.
    Promise.all(buyers.map(({ token }, i) => server.ask(contract.order.create, wanted[i] ?? never(), token))),
  ])
  expect(redeemed.filter(({ status }) => status === 1)).toHaveLength(1)
  const orders = made.flatMap(({ status, data }, i) =>
    status === 1 ? [{ id: (data as { id: string }).id, buyer: buyers[i] ?? never() }] : [],
  )
  expect(orders).toHaveLength(COPIES)
  expect(await stock()).toBe(0)
  const refusals = new Set(made.filter(({ status }) => status !== 1).map(({ msg }) => msg))
  for (const msg of refusals) expect(msg).toMatch(/库存不足|已售罄|被买走/)
  expect(await server.db.selectFrom('coupon_owned').selectAll().execute()).toHaveLength(1)

  await Promise.all(orders.map(({ id, buyer }) => server.call(contract.order.cancel, { id }, buyer.token)))
  expect(await stock()).toBe(COPIES)
  // Cancelled again, nothing comes back twice.
  await Promise.all(orders.map(({ id, buyer }) => server.call(contract.order.cancel, { id }, buyer.token)))
  expect(await stock()).toBe(COPIES)
})

test('one coupon in many orders of one student at once is used in one', async () => {
  const buyer = await newBuyer()
  const code = await makeCode(server, { coupon: 'C' })
  await server.call(contract.coupon.redeem, { code }, buyer.token)
  const wanted = await wantedOf(server, buyer, { products: [bookOf('B')] })
  expect(wanted.coupon).not.toBe('')
  const made = await Promise.all(
    [1, 2, 3, 4, 5].map(() => server.ask(contract.order.create, { ...wanted, key: randomUUID() }, buyer.token)),
  )
  expect(made.filter(({ status }) => status === 1)).toHaveLength(1)
  expect(await stock()).toBe(COPIES - 1)
})

test('of four buyers at once who want two copies of three, one gets them and the others are told that there are not enough', async () => {
  await publishBooks(server, booksJson(bookJson('PAIR', 3)))
  const buyers = await Promise.all(Array.from({ length: 4 }, newBuyer))
  const products = [bookOf('PAIR', 2)]
  const wanted = await Promise.all(buyers.map((buyer) => wantedOf(server, buyer, { products })))
  const made = await Promise.all(
    buyers.map(({ token }, i) => server.ask(contract.order.create, wanted[i] ?? never(), token)),
  )
  const refusals = made.flatMap(({ status, msg }) => (status === 1 ? [] : [msg]))
  expect(refusals).toHaveLength(3)
  for (const msg of refusals) expect(msg).toMatch(/库存不足|库存只剩 1 件/)
  expect(await stock('PAIR_1')).toBe(1)
})

function never(): never {
  throw new Error('there is one for each buyer')
}
