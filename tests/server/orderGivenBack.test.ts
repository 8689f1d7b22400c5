import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { Product } from '#src/contract/order.ts'
import { operate, payOutWallet } from '#server/order/operator.ts'
import { writeGrant } from '#server/rights/store.ts'
import { givePassword } from '#tests/support/login.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { syncAs } from '#tests/support/ops.ts'
import {
  accounts,
  atSandbox,
  begin,
  bookOf,
  buy,
  detail,
  giveAddress,
  giveCoupon,
  order,
  settleAll,
  topUp,
  vipOf,
} from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { bookJson, booksJson, packageJson, publishBooks, publishVip, vipJson } from '#tests/support/shop.ts'

const DAY = 86_400_000
const COPIES = 50
const SET: Product = { kind: 'set', no: 'S', quantity: 1, variant: null }
const SHIP = { kind: 'ship', parcel: { carrier: '邮政', number: '1' } } as const
const BY_PHONE = { method: 'sandbox', device: 'phone' } as const
const REASON = '教材停印，无法发货'
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'B', chapters: 1, perChapter: 20 }))
  const nos = Array.from({ length: 14 }, (_, n) => `B_q${n + 1}`)
  await publish(server.db, { ...setJson({ no: 'S', papers: [[nos]] }), price: 900 })
  await publish(server.db, { ...setJson({ no: 'T', papers: [[nos]] }), price: 900 })
  await publishVip(server, vipJson(packageJson('V')))
  await publishBooks(server, booksJson(bookJson('BOOK', COPIES)))
})
afterAll(() => server.close())

const stock = async () => (await server.db.selectFrom('book_variant').select('stock').executeTakeFirstOrThrow()).stock
const approve = (id: string, over: { reason?: string; restock?: boolean } = { reason: REASON }) =>
  operate(server.db, id, { kind: 'approve', ...over }, server.clock.now)
/** One who bought a book, partly from the wallet. */
async function bookBuyer(quantity = 1) {
  const student = await server.student()
  await giveAddress(server, student)
  await topUp(server, student, 1000 * quantity)
  const before = await stock()
  const id = await buy(server, student, { products: [bookOf('BOOK', quantity)], wallet: true })
  return { student, id, before }
}

describe('the shop gives back what nobody asked for any more', () => {
  test('long after its days: right, wallet’s part and provider’s part, once', async () => {
    const student = await server.student()
    await topUp(server, student, 1000)
    const id = await buy(server, student, { products: [vipOf('V')], wallet: true })
    server.clock.now += 8 * DAY
    const ask = { id, reason: '不想要了' }
    expect((await server.ask(contract.order.askRefund, ask, student.token)).msg).toContain('已超过申请退款的期限')
    await expect(approve(id, {})).rejects.toThrow('主动退款请用 --reason 写明原因')
    expect((await detail(server, student, id)).state).toBe('completed')

    expect(await approve(id)).toBe('refunding')
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1990, held: 990, wallet: 1000 })
    expect(await server.call(contract.vip.mine, {}, student.token)).toMatchObject([{ no: 'V', open: false }])
    await expect(approve(id)).rejects.toThrow('该订单的退款已经办理')
    const decline = operate(server.db, id, { kind: 'decline', reason: '已使用' }, server.clock.now)
    await expect(decline).rejects.toThrow('该订单没有等待处理的退款申请')
    await expect(operate(server.db, id, SHIP, server.clock.now)).rejects.toThrow('该订单不是待发货')
    await settleAll(server)
    expect(await detail(server, student, id)).toMatchObject({ state: 'refunded', refund: { reason: REASON } })
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1000, wallet: 1000 })
    await expect(approve(id)).rejects.toThrow('该订单已经退款')
    await settleAll(server)
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1000, wallet: 1000 })
  })

  test('after it had declined', async () => {
    const { student, id } = await bookBuyer()
    await operate(server.db, id, SHIP, server.clock.now)
    const ask = { id, reason: '买错了' }
    await server.call(contract.order.askRefund, ask, student.token)
    // Whoever has lost the answer asks again, and is told how the order stands.
    expect((await server.call(contract.order.askRefund, ask, student.token)).state).toBe('refunding')
    await operate(server.db, id, { kind: 'decline', reason: '已拆封' }, server.clock.now)
    expect((await detail(server, student, id)).state).toBe('shipped')
    await approve(id)
    await settleAll(server)
    const { state, refund } = await detail(server, student, id)
    expect({ state, ...refund }).toMatchObject({ state: 'refunded', reason: REASON, declined: '' })
  })

  test.each([
    ['not sent: it is in the shop', false, undefined, 0],
    ['not sent, as there is none', false, false, 1],
    ['sent: the student has it', true, undefined, 1],
    ['sent, and come back', true, true, 0],
  ])('a book that was %s', async (_, sent, restock, taken) => {
    const { id, before } = await bookBuyer()
    if (sent) await operate(server.db, id, SHIP, server.clock.now)
    await approve(id, { reason: REASON, ...(restock !== undefined && { restock }) })
    expect(await stock()).toBe(before - taken)
  })

  test('what was sold is counted as sold no more', async () => {
    const sold = async () => (await server.db.selectFrom('book_variant').select('sold').executeTakeFirstOrThrow()).sold
    const before = await sold()
    const { id } = await bookBuyer(2)
    expect(await sold()).toBe(before + 2)
    await approve(id)
    expect(await sold()).toBe(before)
  })

  test('the money, and not the coupon: that was used', async () => {
    const student = await server.student()
    const coupon = await giveCoupon(server, student)
    const id = await buy(server, student, { products: [vipOf('V')] })
    await approve(id)
    await settleAll(server)
    expect(await detail(server, student, id)).toMatchObject({ state: 'refunded', discount: 1000 })
    expect(await accounts(server, student.uid)).toEqual({})
    const { coupons } = await server.call(contract.coupon.mine, {}, student.token)
    expect(coupons).toMatchObject([{ id: coupon, state: 'used', order: id }])
    const wanted = { products: [vipOf('V')], wallet: false }
    expect(await server.call(contract.order.preview, wanted, student.token)).toMatchObject({ discount: 0, due: 1990 })
  })

  test('nothing that was not paid, or ended', async () => {
    const student = await server.student()
    const { id } = await order(server, student, { products: [vipOf('V')] })
    await expect(approve(id)).rejects.toThrow('该订单还没有付款')
    await server.call(contract.order.cancel, { id }, student.token)
    await expect(approve(id)).rejects.toThrow('该订单已取消')
    expect((await detail(server, student, id)).state).toBe('cancelled')
  })

  test('of an account that has closed: the wallet’s part goes out as well', async () => {
    const student = await server.student()
    await topUp(server, student, 1990)
    const id = await buy(server, student, { products: [vipOf('V')], wallet: true })
    await givePassword(server.db, student.uid, 'the old password')
    const close = { word: '注销', oldPassword: 'the old password' } as const
    expect(await server.ask(contract.user.close, close, student.token)).toMatchObject({ status: 1 })
    expect(await approve(id)).toBe('refunded')
    await payOutWallet(server.db, id, server.clock.now)
    await settleAll(server)
    expect(await accounts(server, student.uid)).toEqual({})
  })
})

describe('of two orders for one right that lasts for good', () => {
  const twice = async () => {
    const student = await server.student()
    await topUp(server, student, 100)
    const first = await order(server, student, { products: [SET] })
    const second = await order(server, student, { products: [SET, vipOf('V')], wallet: true })
    return { student, first: first.id, second: second.id }
  }

  test('the second is not begun to be paid once the first is', async () => {
    const { student, first, second } = await twice()
    await atSandbox(server, await begin(server, student, first), 'pay')
    for (const method of ['sandbox', 'wallet'] as const) {
      const wanted = { id: second, method, device: 'phone' } as const
      const msg = '已经拥有“S 仿真卷”，不用再付，请取消这个订单'
      expect(await server.ask(contract.order.pay, wanted, student.token)).toEqual({ status: 0, msg, data: null })
    }
  })

  test('the second that was under way goes back whole', async () => {
    const { student, first, second } = await twice()
    const [one, two] = [await begin(server, student, first), await begin(server, student, second)]
    await atSandbox(server, one, 'pay')
    await atSandbox(server, two, 'pay')
    expect(await detail(server, student, first)).toMatchObject({ state: 'completed' })
    expect(await detail(server, student, second)).toMatchObject({
      state: 'refunding',
      refund: { reason: '付款前已经拥有“S 仿真卷”，订单取消，自动退回' },
    })
    await settleAll(server)
    expect((await detail(server, student, second)).state).toBe('refunded')
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1000, sales: 900, wallet: 100 })
    // The wallet's part went back with the end of the order, and is not told as money that comes.
    const { changes } = await syncAs(server, student, [])
    const body = { event: 'refund', refunded: 2790, note: '付款前已经拥有“S 仿真卷”，订单取消，自动退回' }
    expect(changes).toMatchObject([{ kind: 'order', id: second, body }])
    expect(await server.call(contract.vip.mine, {}, student.token)).toEqual([])
    // Given back, the first is no reason any more.
    await approve(first)
    await settleAll(server)
    await buy(server, student, { products: [SET] })
    expect((await server.call(contract.questionSet.detail, { no: 'S' }, student.token)).open).toBe(true)
  })

  test('the one of its products that the student already has is named', async () => {
    const student = await server.student()
    const both = await order(server, student, { products: [SET, { ...SET, no: 'T' }] })
    await buy(server, student, { products: [{ ...SET, no: 'T' }] })
    const msg = '已经拥有“T 仿真卷”，不用再付，请取消这个订单'
    expect(await server.ask(contract.order.pay, { id: both.id, ...BY_PHONE }, student.token)).toMatchObject({ msg })
  })

  test('a right that ends before is no reason not to pay for one that lasts', async () => {
    const student = await server.student()
    const { id } = await order(server, student, { products: [SET] })
    const until = server.clock.now + DAY
    const short = {
      uid: student.uid,
      kind: 'set',
      no: 'S',
      at: server.clock.now,
      until,
      source: 'gift',
      days: 1,
    } as const
    await server.db.transaction().execute((tx) => writeGrant(tx, short))
    await atSandbox(server, await begin(server, student, id), 'pay')
    expect(await detail(server, student, id)).toMatchObject({ state: 'completed' })
  })

  test('of days both are paid: the second is added', async () => {
    const student = await server.student()
    const ids = [
      await order(server, student, { products: [vipOf('V')] }),
      await order(server, student, { products: [vipOf('V')] }),
    ]
    for (const { id } of ids) await atSandbox(server, await begin(server, student, id), 'pay')
    const [mine] = await server.call(contract.vip.mine, {}, student.token)
    expect(mine?.until).toBe(server.clock.now + 60 * DAY)
  })
})

test('the wallet’s part comes back from each order that is cancelled', async () => {
  const student = await server.student()
  await topUp(server, student, 1000)
  for (let n = 0; n < 2; n++) {
    const { id } = await order(server, student, { products: [vipOf('V')], wallet: true })
    expect(await accounts(server, student.uid)).toMatchObject({ held: 1000 })
    await server.call(contract.order.cancel, { id }, student.token)
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1000, wallet: 1000 })
  }
})
