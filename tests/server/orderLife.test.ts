import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { Product } from '#src/contract/order.ts'
import { PAY_MS } from '#src/domain/order.ts'
import { operate, type OperatorAct } from '#server/order/operator.ts'
import { settleSome } from '#server/order/jobs.ts'
import type { SignedNotice } from '#server/outside/sandbox.ts'
import {
  accounts,
  atSandbox,
  bookOf,
  type Buyer,
  giveAddress,
  giveCoupon,
  settleAll,
  topUp,
  vipOf,
  wantedOf,
} from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { bookJson, booksJson, packageJson, publishBooks, publishVip, vipJson } from '#tests/support/shop.ts'

const COPIES = 6
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(server, vipJson(packageJson('V')))
})
afterAll(() => server.close())
beforeEach(() => {
  server.deliver.to = server.notify
})

/** What may happen to a shop, in any order: `who` and `which` are taken modulo what there is. */
type Step =
  | { do: 'order'; who: number; what: number; wallet: boolean }
  | { do: 'pay' | 'repay' | 'fail' | 'begin' | 'cancel' | 'look' | 'receive' | 'askRefund'; which: number }
  | { do: 'walletPay'; which: number }
  | { do: 'ship' | 'approve' | 'restock' | 'decline'; which: number }
  | { do: 'topUp'; who: number; fen: number }
  | { do: 'notice'; which: number }
  | { do: 'wait'; ms: number }
  | { do: 'jobs' }
  | { do: 'dieInJobs' }
  /** Ordered and paid; asked for and given back; cancelled while the provider could not be reached, and paid after it. */
  | { do: 'buy'; who: number; what: number; wallet: boolean }
  | { do: 'giveBack' | 'giveBackAll' | 'payLate'; which: number }

const which = fc.nat(3)
const who = fc.nat(1)
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('order' as const), who, what: fc.nat(3), wallet: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('buy' as const), who, what: fc.nat(3), wallet: fc.boolean() }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('giveBack', 'giveBackAll', 'payLate'), which }) },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constantFrom('pay', 'repay', 'fail', 'begin', 'cancel', 'look', 'receive', 'askRefund', 'walletPay'),
      which,
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('ship', 'approve', 'restock', 'decline'), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('topUp' as const), who, fen: fc.integer({ min: 100, max: 9000 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('notice' as const), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1000, 60_000, PAY_MS) }) },
  { weight: 3, arbitrary: fc.constantFrom<Step>({ do: 'jobs' }, { do: 'dieInJobs' }) },
)

class World {
  readonly students: Buyer[] = []
  readonly orders: { id: string; by: Buyer; url: string | null }[] = []
  /** Every notice that was ever sent: brought late, and again. */
  readonly notices: SignedNotice[] = []
  readonly book = `B_${randomUUID().slice(0, 8)}`

  async begin(): Promise<void> {
    server.deliver.to = async (notice) => this.notices.push(notice) < 0
    await publishBooks(server, booksJson(bookJson(this.book, COPIES)))
    for (let n = 0; n < 2; n++) {
      const student = await server.student()
      await giveAddress(server, student)
      await giveCoupon(server, student)
      this.students.push(student)
    }
  }

  async step(step: Step): Promise<void> {
    if (step.do === 'order') return this.order(step.who, step.what, step.wallet)
    if (step.do === 'topUp') return topUp(server, this.student(step.who), step.fen)
    if (step.do === 'wait') return void (server.clock.now += step.ms)
    if (step.do === 'jobs') return settleAll(server)
    if (step.do === 'dieInJobs') return this.dieInJobs()
    if (step.do === 'payLate') return this.payLate(step.which)
    if (step.do === 'buy') {
      await this.order(step.who, step.what, step.wallet)
      return this.onOrder('pay', this.orders.length - 1)
    }
    if (step.do === 'giveBack' || step.do === 'giveBackAll') {
      await this.onOrder('askRefund', step.which)
      return this.onOrder(step.do === 'giveBack' ? 'approve' : 'restock', step.which)
    }
    if (step.do !== 'notice') return this.onOrder(step.do, step.which)
    const notice = this.notices[step.which % Math.max(1, this.notices.length)]
    if (notice) await server.notify(notice)
  }

  private student(at: number): Buyer {
    const student = this.students[at % this.students.length]
    if (!student) throw new Error('nobody')
    return student
  }

  private async order(at: number, what: number, wallet: boolean): Promise<void> {
    const by = this.student(at)
    const choices: Product[][] = [
      [vipOf('V')],
      [bookOf(this.book)],
      [bookOf(this.book, 2), vipOf('V')],
      [bookOf(this.book, 3)],
    ]
    const wanted = await wantedOf(server, by, { products: choices[what] ?? [], wallet })
    const made = await server.ask(contract.order.create, wanted, by.token)
    // The answer was lost: the page sends it again.
    const again = await server.ask(contract.order.create, wanted, by.token)
    if (made.status === 1) expect(again.data).toMatchObject({ id: (made.data as { id: string }).id })
    if (made.status === 1) this.orders.push({ id: (made.data as { id: string }).id, by, url: null })
  }

  private async onOrder(act: Step['do'], at: number): Promise<void> {
    const order = this.orders[at % Math.max(1, this.orders.length)]
    if (!order) return
    const { id, by } = order
    const operator: Partial<Record<Step['do'], OperatorAct>> = {
      ship: { kind: 'ship', parcel: { carrier: '邮政', number: '1' } },
      approve: { kind: 'approve', restock: false },
      restock: { kind: 'approve', restock: true },
      decline: { kind: 'decline', reason: '已拆封' },
    }
    const wanted = operator[act]
    if (wanted) {
      const done = await operate(server.db, id, wanted, server.clock.now).catch(() => null)
      if (done !== null && act === 'restock') this.restocked.add(id)
      return
    }
    if (act === 'cancel') await server.ask(contract.order.cancel, { id }, by.token)
    else if (act === 'look') await server.ask(contract.order.state, { id }, by.token)
    else if (act === 'receive') await server.ask(contract.order.receive, { id }, by.token)
    else if (act === 'askRefund') await server.ask(contract.order.askRefund, { id, reason: '买错了' }, by.token)
    else if (act === 'walletPay')
      await server.ask(contract.order.pay, { id, method: 'wallet', device: 'phone' }, by.token)
    else if (act === 'repay') order.url = null
    else await this.atProvider(order, act)
  }

  private async atProvider(order: World['orders'][number], act: Step['do']): Promise<void> {
    const { id, by } = order
    if (order.url === null) {
      const { data } = await server.ask(contract.order.pay, { id, method: 'sandbox', device: 'phone' }, by.token)
      const way = (data as { way: { url: string } | null } | null)?.way
      order.url = way?.url ?? null
    }
    if (order.url !== null && (act === 'pay' || act === 'fail')) await atSandbox(server, order.url, act)
  }

  private async payLate(at: number): Promise<void> {
    await this.onOrder('begin', at)
    server.outage.on = true
    await this.onOrder('cancel', at)
    server.outage.on = false
    await this.onOrder('pay', at)
  }

  /** The process ends in the middle of the jobs: what it had claimed is looked at by the next one. */
  private async dieInJobs(): Promise<void> {
    server.outage.on = true
    await settleSome(server.desk, server.clock.now)
    server.outage.on = false
  }

  /** Holds after each step. */
  async check(): Promise<void> {
    const { db } = server
    const variant = await db
      .selectFrom('book_variant')
      .selectAll()
      .where('no', '=', `${this.book}_1`)
      .executeTakeFirstOrThrow()
    expect(variant.stock).toBeGreaterThanOrEqual(0)
    for (const { uid } of this.students) {
      const sums = await accounts(server, uid)
      expect(Object.values(sums).reduce((a, b) => a + b, 0)).toBe(0)
      const wallet = await db.selectFrom('wallet').select('balance').where('uid', '=', uid).executeTakeFirst()
      expect(sums['wallet'] ?? 0).toBe(wallet?.balance ?? 0)
      expect(wallet?.balance ?? 0).toBeGreaterThanOrEqual(0)
    }
  }

  /** When everything has been settled: goods for money, and money for goods, of every order. */
  async settled(): Promise<void> {
    server.deliver.to = server.notify
    for (let n = 0; n < 6; n++) {
      server.clock.now += PAY_MS
      await settleAll(server)
    }
    await this.check()
    const { db } = server
    let taken = 0
    for (const { id, by } of this.orders) {
      const order = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      const lines = await db.selectFrom('order_line').selectAll().where('order_id', '=', id).execute()
      const grants = await db
        .selectFrom('entitlement_grant')
        .selectAll()
        .where('uid', '=', by.uid)
        .where('source', 'like', `${id}\\_%`)
        .execute()
      const entries = await db
        .selectFrom('ledger_entry')
        .selectAll()
        .where('uid', '=', by.uid)
        .where('order_id', '=', id)
        .execute()
      const sum = (account: string) =>
        entries.filter((e) => e.account === account).reduce((all, { amount }) => all + amount, 0)
      const rights = lines.filter(({ kind }) => kind === 'vip').length
      const has = ['paid', 'shipped', 'completed'].includes(order.state)
      const approved = order.refund_approved_at !== null
      expect(order.state).not.toBe('pending')
      expect(sum('held')).toBe(0)
      const sold = has || (order.state === 'refunding' && !approved)
      expect(sum('sales')).toBe(sold ? order.wallet + order.due : 0)
      expect(grants.filter(({ revoked_at }) => revoked_at === null)).toHaveLength(sold ? rights : 0)
      const coupon = await db
        .selectFrom('coupon_owned')
        .select('order_id')
        .where('uid', '=', by.uid)
        .executeTakeFirstOrThrow()
      if (order.state === 'cancelled' && order.coupon_id !== null) expect(coupon.order_id).not.toBe(id)
      if (sold || (approved && order.state === 'refunded' && order.cancelled_at === null && !this.restocked.has(id)))
        taken += lines.filter(({ kind }) => kind === 'book').reduce((all, { quantity }) => all + quantity, 0)
    }
    const { stock } = await db
      .selectFrom('book_variant')
      .select('stock')
      .where('no', '=', `${this.book}_1`)
      .executeTakeFirstOrThrow()
    expect(stock).toBe(COPIES - taken)
    const open = await db.selectFrom('payment').select('id').where('refund_state', 'in', ['due', 'pending']).execute()
    expect(open).toEqual([])
  }
  readonly restocked = new Set<string>()
}

test('any life of a shop keeps its books: ledger, stock, rights and orders agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 30, size: 'max' }), async (life) => {
      const world = new World()
      await world.begin()
      for (const step of life) {
        await world.step(step)
        await world.check()
      }
      await world.settled()
    }),
    { numRuns: 30, endOnFailure: false },
  )
}, 240_000)
