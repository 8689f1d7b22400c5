import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { Product } from '#src/contract/order.ts'
import { PAY_MS } from '#src/domain/money/order.ts'
import { Refusal } from '#server/http/handlers.ts'
import { settleSome } from '#server/order/jobs.ts'
import { operate, type OperatorAct, payOutWallet } from '#server/order/operator.ts'
import { voidSandboxMoney } from '#server/order/sandboxMoney.ts'
import { listTroubles, type Outcome, resolve, type TroubleKind } from '#server/order/troubles.ts'
import type { SignedNotice } from '#server/outside/sandbox.ts'
import {
  accounts,
  atSandbox,
  bookOf,
  type Buyer,
  giveAddress,
  giveCoupon,
  payAnother,
  settleAll,
  topUp,
  vipOf,
  wantedOf,
} from './orders.ts'
import type { Step } from './orderSteps.ts'
import type { TestServer } from './server.ts'
import { bookJson, booksJson, publishBooks } from './shop.ts'

const COPIES = 6

/** A refusal is an answer; anything else is a fault. */
function refused(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}

/** A shop, two students and an operator; what they did is checked against the books. */
export class World {
  readonly #server: TestServer
  readonly #providers: TestServer['desk']['providers']
  readonly students: (Buyer & { mobile: string })[] = []
  readonly orders: { id: string; by: Buyer; url: string | null }[] = []
  /** Every notice that was ever sent: brought late, and again. */
  readonly notices: SignedNotice[] = []
  readonly book = `B_${randomUUID().slice(0, 8)}`

  constructor(server: TestServer) {
    this.#server = server
    this.#providers = server.desk.providers
  }

  async begin(): Promise<void> {
    this.#server.deliver.to = async (notice) => this.notices.push(notice) < 0
    await publishBooks(this.#server, booksJson(bookJson(this.book, COPIES)))
    for (let n = 0; n < 2; n++) {
      const student = await this.#server.student()
      await giveAddress(this.#server, student)
      await giveCoupon(this.#server, student)
      this.students.push(student)
    }
  }

  async step(step: Step): Promise<void> {
    if (step.do === 'order') return this.order(step.who, step.what, step.wallet)
    if (step.do === 'payOut') return this.payOut(step.who)
    if (step.do === 'gone' || step.do === 'back') return this.configure(step.do === 'back')
    if (step.do === 'void') return this.void()
    if (step.do === 'resolve') return this.resolve(step.which, step.as)
    if (step.do === 'topUp' || step.do === 'cashOut') {
      await this.topUp(step.who, step.fen)
      return step.do === 'cashOut' ? this.payOut(step.who) : undefined
    }
    if (step.do === 'wait') return void (this.#server.clock.now += step.ms)
    if (step.do === 'jobs') return settleAll(this.#server)
    if (step.do === 'dieInJobs') return this.dieInJobs()
    if (step.do === 'payLate') return this.payLate(step.which)
    if (step.do === 'buy' || step.do === 'buyAndRecall' || step.do === 'mispay') {
      await this.order(step.who, step.what, step.wallet)
      await this.onOrder(step.do === 'mispay' ? 'payOther' : 'pay', this.orders.length - 1)
      if (step.do === 'buy') return
      await this.onOrder('look', this.orders.length - 1)
      return step.do === 'buyAndRecall' ? this.onOrder('recall', this.orders.length - 1) : undefined
    }
    if (step.do === 'giveBack' || step.do === 'giveBackAll') {
      await this.onOrder('askRefund', step.which)
      return this.onOrder(step.do === 'giveBack' ? 'approve' : 'restock', step.which)
    }
    if (step.do !== 'notice') return this.onOrder(step.do, step.which)
    const notice = this.notices[step.which % Math.max(1, this.notices.length)]
    if (notice) await this.#server.notify(notice)
  }

  private student(at: number): World['students'][number] {
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
      [{ kind: 'set', no: 'S', quantity: 1, variant: null }],
    ]
    const wanted = await wantedOf(this.#server, by, { products: choices[what] ?? [], wallet })
    const made = await this.#server.ask(contract.order.create, wanted, by.token)
    // The answer was lost: the page sends it again.
    const again = await this.#server.ask(contract.order.create, wanted, by.token)
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
      recall: { kind: 'approve', reason: '发不了货' },
    }
    const wanted = operator[act]
    if (wanted) {
      const { shipped_at: sent } = await this.#server.db
        .selectFrom('orders')
        .select('shipped_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const done = await operate(this.#server.db, id, wanted, this.#server.clock.now).catch(refused)
      if (done !== null && (act === 'restock' || (act === 'recall' && sent === null))) this.restocked.add(id)
      return
    }
    if (act === 'cancel') await this.#server.ask(contract.order.cancel, { id }, by.token)
    else if (act === 'look') await this.#server.ask(contract.order.state, { id }, by.token)
    else if (act === 'receive') await this.#server.ask(contract.order.receive, { id }, by.token)
    else if (act === 'askRefund') await this.#server.ask(contract.order.askRefund, { id, reason: '买错了' }, by.token)
    else if (act === 'walletPay')
      await this.#server.ask(contract.order.pay, { id, method: 'wallet', device: 'phone' }, by.token)
    else if (act === 'repay') order.url = null
    else await this.atProvider(order, act)
  }

  private async atProvider(order: World['orders'][number], act: Step['do']): Promise<void> {
    const { id, by } = order
    if (order.url === null) {
      const { data } = await this.#server.ask(contract.order.pay, { id, method: 'sandbox', device: 'phone' }, by.token)
      const way = (data as { way: { url: string } | null } | null)?.way
      order.url = way?.url ?? null
    }
    if (order.url === null) return
    if (act === 'payOther') await payAnother(this.#server, order.url, 1 + order.id.length)
    else if (act === 'pay' || act === 'fail') await atSandbox(this.#server, order.url, act)
  }

  private async payLate(at: number): Promise<void> {
    await this.onOrder('begin', at)
    this.#server.outage.on = true
    await this.onOrder('cancel', at)
    this.#server.outage.on = false
    await this.onOrder('pay', at)
  }

  /** Of no provider there is no top-up. */
  private async topUp(at: number, fen: number): Promise<void> {
    if (this.#server.desk.providers.size === 0) return
    await topUp(this.#server, this.student(at), fen)
    this.#server.clock.now += 10_000
    await settleAll(this.#server)
  }

  private async payOut(at: number): Promise<void> {
    await payOutWallet(this.#server.db, this.student(at).mobile, this.#server.clock.now).catch(refused)
  }

  private async configure(on: boolean): Promise<void> {
    Object.assign(this.#server.desk, { providers: on ? this.#providers : new Map<never, never>() })
    await settleAll(this.#server)
  }

  /** Nothing is left of it, and no right that it has bought. */
  private async void(): Promise<void> {
    const { db, clock } = this.#server
    await this.configure(false)
    const { orders } = await voidSandboxMoney(db, clock.now)
    for (const { uid } of this.students) {
      const { held = 0, wallet = 0, sales = 0, ...others } = await accounts(this.#server, uid)
      expect({ uid, held, wallet, sales, others }).toEqual({ uid, held: 0, wallet: 0, sales: 0, others: {} })
    }
    const voided = db
      .selectFrom('orders')
      .select('id')
      .where('id', 'in', ['', ...orders])
    for (const { id } of await voided.where('shipped_at', 'is', null).execute()) this.restocked.add(id)
    expect(await voidSandboxMoney(db, clock.now)).toEqual({ students: 0, sum: 0, orders: [] })
  }

  /** What the operator says is what was so at the provider's, as found there. */
  private async resolve(at: number, as: number): Promise<void> {
    const { db, clock } = this.#server
    const all = await listTroubles(db, clock.now)
    const trouble = all[at % Math.max(1, all.length)]
    if (!trouble) return
    const { id, kind } = trouble
    const there = await this.#providers.get('sandbox')?.find(id)
    const heard: Outcome =
      there?.state === 'paid' ? { kind: 'paid', ref: there.ref, amount: there.amount } : { kind: 'unpaid' }
    const ways: Record<TroubleKind, Outcome[]> = {
      unheard: [heard],
      differs: [{ kind: 'return' }, { kind: 'returned' }],
      unreturned: [{ kind: 'returned' }],
      unreal: [],
    }
    const outcome = ways[kind][as % ways[kind].length]
    if (!outcome) return
    await resolve(db, id, outcome, '已核对', clock.now)
    await expect(resolve(db, id, outcome, '再来一次', clock.now)).rejects.toThrow('款项')
  }

  /** The process ends in the middle of the jobs: what it had claimed is looked at by the next one. */
  private async dieInJobs(): Promise<void> {
    this.#server.outage.on = true
    await settleSome(this.#server.desk, this.#server.clock.now)
    this.#server.outage.on = false
  }

  /** Holds after each step. */
  async check(): Promise<void> {
    const { db } = this.#server
    const variant = await db
      .selectFrom('book_variant')
      .selectAll()
      .where('no', '=', `${this.book}_1`)
      .executeTakeFirstOrThrow()
    expect(variant.stock).toBeGreaterThanOrEqual(0)
    for (const { uid } of this.students) {
      const sums = await accounts(this.#server, uid)
      expect(Object.values(sums).reduce((a, b) => a + b, 0)).toBe(0)
      const wallet = await db.selectFrom('wallet').select('balance').where('uid', '=', uid).executeTakeFirst()
      expect(sums['wallet'] ?? 0).toBe(wallet?.balance ?? 0)
      expect(wallet?.balance ?? 0).toBeGreaterThanOrEqual(0)
    }
  }

  /** When everything has been settled: goods for money, and money for goods, of every order. */
  async settled(): Promise<void> {
    this.#server.deliver.to = this.#server.notify
    await this.configure(true)
    for (let n = 0; n < 6; n++) {
      this.#server.clock.now += PAY_MS
      await settleAll(this.#server)
      for (let left = (await listTroubles(this.#server.db, this.#server.clock.now)).length; left > 0; left--)
        await this.resolve(0, n)
    }
    expect(await listTroubles(this.#server.db, this.#server.clock.now)).toEqual([])
    await this.check()
    const { db } = this.#server
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
      const rights = lines.filter(({ kind }) => kind !== 'book').length
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
    for (const { uid } of this.students) {
      const of = db.selectFrom('entitlement_grant').select('source').where('uid', '=', uid).where('kind', '=', 'set')
      // What lasts for good is paid for once.
      expect((await of.where('revoked_at', 'is', null).execute()).length).toBeLessThan(2)
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
