import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { PAY_MS, RECEIVE_DAYS, REFUND_DAYS } from '#src/domain/money/order.ts'
import { settleSome } from '#server/order/jobs.ts'
import { operate } from '#server/order/operator.ts'
import type { Desk } from '#server/order/payments.ts'
import {
  accounts,
  atSandbox,
  begin,
  bookOf,
  buy,
  type Buyer,
  detail,
  giveAddress,
  giveCoupon,
  order,
  paymentOf,
  settleAll,
  topUp,
  vipOf,
} from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { bookJson, booksJson, packageJson, publishBooks, publishVip, vipJson } from '#tests/support/shop.ts'

const MANY = 25
const COPIES = 3
const MINUTE = 60_000
const DAY = 86_400_000
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(server, vipJson(packageJson('V')))
  await publishBooks(server, booksJson(bookJson('BOOK', COPIES)))
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
interface Placed {
  id: string
  buyer: Buyer
}
async function unpaid(pay: boolean): Promise<Placed> {
  const buyer = await server.student()
  const { id } = await order(server, buyer, { products: [vipOf('V')] })
  if (pay) await begin(server, buyer, id)
  return { id, buyer }
}
const stateOf = async ({ id, buyer }: Placed) => (await detail(server, buyer, id)).state

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

  test('close what was begun for an order in the moment that they end it, so that nobody pays for it any more', async () => {
    const { desk } = counting()
    const closed: string[] = []
    const sandbox = desk.providers.get('sandbox')
    if (!sandbox) throw new Error('no sandbox')
    const close = (id: string) => {
      closed.push(id)
      return sandbox.close(id)
    }
    const watched = { ...desk, providers: new Map([...desk.providers, ['sandbox', { ...sandbox, close }] as const]) }
    const buyer = await server.student()
    const { id } = await order(server, buyer, { products: [vipOf('V')] })
    const payment = paymentOf(await begin(server, buyer, id))
    server.clock.now += PAY_MS
    await settleSome(watched, server.clock.now)
    expect(await stateOf({ id, buyer })).toBe('cancelled')
    expect(closed).toEqual([payment])
    expect(await sandbox.find(payment)).toEqual({ state: 'closed' })
  })

  describe('end an order two hours after its time when its provider stays silent', () => {
    const copies = async () =>
      (await server.db.selectFrom('book_variant').select('stock').executeTakeFirstOrThrow()).stock
    const products = [bookOf('BOOK', 2)]
    /** An order that holds books, a coupon and a part of the wallet, and whose payment has begun. */
    async function holding() {
      const buyer = await server.student()
      await giveAddress(server, buyer)
      const coupon = await giveCoupon(server, buyer)
      await topUp(server, buyer, 500)
      const { id } = await order(server, buyer, { products, wallet: true })
      expect(await copies()).toBe(COPIES - 2)
      expect(await detail(server, buyer, id)).toMatchObject({ discount: 1000, wallet: 500, balance: 0 })
      return { buyer, id, coupon, url: await begin(server, buyer, id) }
    }
    /** The jobs run every ten minutes, while nobody answers, until so long after the order's time. */
    async function pass(minutes: number): Promise<void> {
      for (let n = 0; n < minutes; n += 10) {
        server.clock.now += 10 * MINUTE
        await settleAll(server)
      }
    }
    const quoteOf = ({ buyer }: Awaited<ReturnType<typeof holding>>) =>
      server.call(contract.order.preview, { products, wallet: true }, buyer.token)

    test('and give back its books, its coupon and its part of the wallet', async () => {
      const held = await holding()
      server.outage.on = true
      server.clock.now += PAY_MS
      await settleAll(server)
      await pass(110)
      expect(await stateOf(held)).toBe('pending')
      expect(await copies()).toBe(COPIES - 2)
      await pass(10)
      expect(await stateOf(held)).toBe('cancelled')
      expect(await copies()).toBe(COPIES)
      expect(await accounts(server, held.buyer.uid)).toEqual({ 'outside:sandbox': -500, wallet: 500 })
      expect(await quoteOf(held)).toMatchObject({ coupon: held.coupon, discount: 1000, balance: 500 })

      // Nobody had paid: what can be reached again is closed.
      server.outage.on = false
      await pass(10)
      expect(await server.desk.providers.get('sandbox')?.find(paymentOf(held.url))).toEqual({ state: 'closed' })
      expect(await stateOf(held)).toBe('cancelled')
    })

    test('and give back, once it answers, what was paid all the same', async () => {
      const held = await holding()
      server.outage.on = true
      server.deliver.to = async () => false
      await atSandbox(server, held.url, 'pay')
      server.deliver.to = server.notify
      server.clock.now += PAY_MS
      await settleAll(server)
      await pass(120)
      expect(await stateOf(held)).toBe('cancelled')
      server.outage.on = false
      await pass(10)
      expect(await stateOf(held)).toBe('refunded')
      expect(await copies()).toBe(COPIES)
      expect(await accounts(server, held.buyer.uid)).toEqual({ 'outside:sandbox': -500, wallet: 500 })
      expect(await quoteOf(held)).toMatchObject({ coupon: held.coupon, balance: 500 })
    })
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

describe('a parcel', () => {
  const ship = (id: string) =>
    operate(server.db, id, { kind: 'ship', parcel: { carrier: '邮政', number: 'EMS1' } }, server.clock.now)
  const askRefund = ({ id, buyer }: Placed) =>
    server.ask(contract.order.askRefund, { id, reason: '买错了' }, buyer.token)
  const LATE = { status: 0, msg: '已超过申请退款的期限，请联系客服', data: null }
  /** An order of a book that is on its way. */
  async function sent(): Promise<Placed> {
    const buyer = await server.student()
    await giveAddress(server, buyer)
    const id = await buy(server, buyer, { products: [bookOf('BOOK')] })
    await ship(id)
    return { id, buyer }
  }

  test('that nobody confirmed is taken as received ten days after it was sent, and goes back for seven days more', async () => {
    const [quiet, unhappy] = [await sent(), await sent()]
    expect(await askRefund(unhappy)).toMatchObject({ status: 1 })
    server.clock.now += RECEIVE_DAYS * DAY - 1
    await settleAll(server)
    expect(await stateOf(quiet)).toBe('shipped')
    server.clock.now += 1
    await settleAll(server)
    expect(await detail(server, quiet.buyer, quiet.id)).toMatchObject({
      state: 'completed',
      completedAt: server.clock.now,
    })
    // What is asked back is not received by itself.
    expect(await stateOf(unhappy)).toBe('refunding')
    server.clock.now += REFUND_DAYS * DAY
    expect(await askRefund(quiet)).toEqual(LATE)
    server.clock.now -= 1
    expect(await askRefund(quiet)).toMatchObject({ status: 1, data: { state: 'refunding' } })
  })

  test('that its student confirms goes back for seven days from then', async () => {
    const placed = await sent()
    server.clock.now += DAY
    const received = await server.call(contract.order.receive, { id: placed.id }, placed.buyer.token)
    expect(received).toMatchObject({ state: 'completed', completedAt: server.clock.now })
    server.clock.now += DAY
    // Confirmed again, it is as it was.
    expect(await server.call(contract.order.receive, { id: placed.id }, placed.buyer.token)).toEqual(received)
    server.clock.now += (REFUND_DAYS - 1) * DAY
    expect(await askRefund(placed)).toEqual(LATE)
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
