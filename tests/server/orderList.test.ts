import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { OrderState } from '#src/contract/order.ts'
import { atSandbox, begin, type Buyer, order, topUp, vipOf, wantedOf } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(server, vipJson(packageJson('V')))
})
afterAll(() => server.close())

const products = [vipOf('V')]
const list = ({ token }: Buyer, input: { states?: OrderState[]; cursor?: string } = {}) =>
  server.call(contract.order.list, { states: [], ...input }, token)

test('my orders come in pages, the newest first and each once, also those that were made at the same moment', async () => {
  const student = await server.student()
  await topUp(server, student, 50_000)
  const made: { id: string; at: number }[] = []
  // The end of the first page lies among those of one moment.
  for (const count of [3, 19, 2]) {
    server.clock.now += 1
    for (let n = 0; n < count; n++) {
      const { id } = await order(server, student, { products, wallet: true })
      made.push({ id, at: server.clock.now })
    }
  }
  const first = await list(student)
  expect(first.orders).toHaveLength(20)
  const second = await list(student, { cursor: first.next ?? '' })
  expect(second.next).toBeNull()
  const all = [...first.orders, ...second.orders]
  expect(all.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted())
  expect(all.map(({ createdAt }) => createdAt)).toEqual(made.map(({ at }) => at).toReversed())
  expect((await list(student, { states: ['completed'] })).orders).toEqual(first.orders)
  expect(await list(student, { states: ['pending', 'cancelled'] })).toEqual({ orders: [], next: null })
})

describe('a student has five unpaid orders at most', () => {
  const refused = { status: 0, msg: '你有 5 个订单还没有支付，请先支付或取消其中一个', data: null }
  const create = async (student: Buyer) =>
    server.ask(contract.order.create, await wantedOf(server, student, { products }), student.token)

  test('and one that is paid or cancelled makes room for another', async () => {
    const [student, other] = [await server.student(), await server.student()]
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push((await order(server, student, { products })).id)
    expect(await create(student)).toEqual(refused)
    const [paid = '', cancelled = ''] = ids
    await atSandbox(server, await begin(server, student, paid), 'pay')
    expect(await create(student)).toMatchObject({ status: 1 })
    expect(await create(student)).toEqual(refused)
    await server.call(contract.order.cancel, { id: cancelled }, student.token)
    expect(await create(student)).toMatchObject({ status: 1 })
    expect(await create(student)).toEqual(refused)
    // Another student has five of their own.
    expect(await create(other)).toMatchObject({ status: 1 })
  })
})
