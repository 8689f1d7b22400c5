import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { PAY_MS } from '#src/domain/order.ts'
import { settleSome } from '#server/order/jobs.ts'
import type { Desk } from '#server/order/payments.ts'
import { begin, detail, order, settleAll, vipOf } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

const MANY = 25
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(server, vipJson(packageJson('V')))
})
afterAll(() => server.close())
afterEach(async () => {
  server.outage.on = false
  server.clock.now += 3 * 3_600_000
  await settleAll(server)
  server.troubles.length = 0
})

/** Counts what the provider is asked, by payment; an outage is on where the server's is. */
function counting(): { desk: Desk; asked: Map<string, number> } {
  const asked = new Map<string, number>()
  const providers = [...server.desk.providers.values()].map((provider) => {
    const find = (id: string) => {
      asked.set(id, (asked.get(id) ?? 0) + 1)
      return provider.find(id)
    }
    return [provider.name, { ...provider, find }] as const
  })
  return { desk: { ...server.desk, providers: new Map(providers) }, asked }
}
async function unpaid(pay: boolean) {
  const buyer = await server.student()
  const { id } = await order(server, buyer, { products: [vipOf('V')] })
  if (pay) await begin(server, buyer, id)
  return { id, buyer }
}
const stateOf = async ({ id, buyer }: Awaited<ReturnType<typeof unpaid>>) => (await detail(server, buyer, id)).state

describe('the jobs', () => {
  test('end other orders while a provider is silent, which is asked once about each', async () => {
    const silent = await Promise.all(Array.from({ length: MANY }, () => unpaid(true)))
    server.clock.now += 1
    const other = await unpaid(false)
    server.clock.now += PAY_MS
    server.outage.on = true
    const { desk, asked } = counting()
    while (await settleSome(desk, server.clock.now));
    while (await settleSome(desk, server.clock.now));
    expect(await stateOf(other)).toBe('cancelled')
    expect(await Promise.all(silent.map(stateOf))).toEqual(silent.map(() => 'pending'))
    expect([...asked.values()]).toEqual(silent.map(() => 1))

    server.outage.on = false
    server.clock.now += 600_000
    await settleAll(server)
    expect(await Promise.all(silent.map(stateOf))).toEqual(silent.map(() => 'cancelled'))
  })

  test('go on where the books refuse one order', async () => {
    const broken = await unpaid(false)
    server.clock.now += 1
    const other = await unpaid(false)
    // The database refuses every change of it.
    await sql`alter table orders add constraint broken check (id <> ${sql.lit(broken.id)} or state = 'pending')`.execute(
      server.db,
    )
    server.clock.now += PAY_MS
    await settleAll(server)
    await sql`alter table orders drop constraint broken`.execute(server.db)
    expect(await stateOf(other)).toBe('cancelled')
    expect(await stateOf(broken)).toBe('pending')
    expect(server.troubles).not.toEqual([])
  })
})

describe('a provider is not asked as often as somebody wants', () => {
  test('about an order or a top-up that is looked at in a loop', async () => {
    const finds = { n: 0 }
    const [box] = server.desk.providers.values()
    if (!box) throw new Error('no provider')
    const { id, buyer } = await unpaid(true)
    const topUp = { key: randomUUID(), amount: 1000, method: 'sandbox', device: 'phone' } as const
    const { id: topUpId } = await server.call(contract.wallet.topUp, topUp, buyer.token)
    const find = box.find
    box.find = (payment) => {
      finds.n++
      return find(payment)
    }
    for (let n = 0; n < 10; n++) {
      await server.call(contract.order.state, { id }, buyer.token)
      await server.call(contract.wallet.topUpState, { id: topUpId }, buyer.token)
    }
    expect(finds.n).toBe(2)
    server.clock.now += 5000
    await server.call(contract.order.state, { id }, buyer.token)
    expect(finds.n).toBe(3)
    box.find = find
  })
})
