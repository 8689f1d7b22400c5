import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { operate, payOutWallet } from '#server/order/operator.ts'
import { settleRefund } from '#server/order/refunds.ts'
import type { PayProvider } from '#server/outside/pay.ts'
import { lockWallet, post } from '#server/wallet/store.ts'
import { accounts, type Buyer, buy, settleAll, someoneWaits, topUp, vipOf } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(server, vipJson(packageJson('V')))
})
afterAll(() => server.close())

const payOut = ({ mobile }: { mobile: string }) => payOutWallet(server.db, mobile, server.clock.now)
const recordsOf = async ({ token }: Buyer) => {
  const month = new Date(server.clock.now + 8 * 3_600_000).toISOString().slice(0, 7)
  const { records } = await server.call(contract.user.myWalletRecord, { month }, token)
  return records.map(({ kind, amount, balance }) => ({ kind, amount, balance }))
}
const onlyPayment = async ({ uid }: Buyer) =>
  (await server.db.selectFrom('payment').select('id').where('uid', '=', uid).executeTakeFirstOrThrow()).id
const refundedOf = async (id: string) =>
  (
    await server.db
      .selectFrom('sandbox_payment')
      .select(['refunded', 'refunds'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).refunded

describe('what a wallet holds is paid out', () => {
  test('from the newest top-up on, not more than there is; what was spent stays spent', async () => {
    const student = await server.student()
    for (const amount of [3000, 1500]) {
      server.clock.now += 1000
      await topUp(server, student, amount)
    }
    const id = await buy(server, student, { products: [vipOf('V')], wallet: true })
    const [old, late] = await server.db
      .selectFrom('payment')
      .select('id')
      .where('uid', '=', student.uid)
      .orderBy('paid_at')
      .execute()
    expect(await payOut(student)).toEqual({ sum: 2510, payments: 2, left: 0 })
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -4500, held: 2510, sales: 1990 })
    // Run again it finds nothing, before and after the money has gone.
    await expect(payOut(student)).rejects.toThrow('钱包里没有余额')
    await settleAll(server)
    await expect(payOut(student)).rejects.toThrow('钱包里没有余额')
    await settleAll(server)
    expect(await Promise.all([old, late].map((each) => refundedOf(each?.id ?? '')))).toEqual([1010, 1500])
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1990, sales: 1990 })
    expect((await recordsOf(student)).slice(0, 2)).toEqual([
      { kind: 'payOut', amount: -1010, balance: 0 },
      { kind: 'payOut', amount: -1500, balance: 1010 },
    ])

    // What comes back to the wallet later goes the same way, from what is left of the same top-up.
    await operate(server.db, id, { kind: 'approve', reason: '课程停办' }, server.clock.now)
    expect(await payOut(student)).toEqual({ sum: 1990, payments: 1, left: 0 })
    await settleAll(server)
    expect(await refundedOf(old?.id ?? '')).toBe(3000)
    expect(await accounts(server, student.uid)).toEqual({})
  })

  test('not from a top-up that is under way back already', async () => {
    const student = await server.student()
    await topUp(server, student, 3000)
    const id = await buy(server, student, { products: [vipOf('V')], wallet: true })
    await payOut(student)
    await operate(server.db, id, { kind: 'approve', reason: '课程停办' }, server.clock.now)
    await expect(payOut(student)).rejects.toThrow('前一次退还还没有办完')
    await settleAll(server)
    expect(await payOut(student)).toMatchObject({ sum: 1990 })
  })

  test('in parts of one top-up, of which each is believed for itself', async () => {
    const student = await server.student()
    await topUp(server, student, 3000)
    const bought = await buy(server, student, { products: [vipOf('V')], wallet: true })
    await payOut(student)
    await settleAll(server)
    await operate(server.db, bought, { kind: 'approve', reason: '课程停办' }, server.clock.now)
    await payOut(student)
    const { uid } = student
    const first = { uid, id: await onlyPayment(student), refund_no: 0 }
    // What was said of the first part comes again, late.
    await server.db.transaction().execute((tx) => settleRefund(tx, first, 'done', server.clock.now))
    expect((await accounts(server, uid))['held']).toBe(1990)
    await settleAll(server)
    expect(await refundedOf(first.id)).toBe(3000)
    expect(await accounts(server, uid)).toEqual({})
  })

  test('behind a purchase that has the wallet: what that leaves', async () => {
    const student = await server.student()
    await topUp(server, student, 3000)
    const locked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const buying = server.db.transaction().execute(async (tx) => {
      await lockWallet(tx, student.uid)
      locked.resolve()
      await go.promise
      const bought = { uid: student.uid, tx: 'bought', kind: 'pay', order: null, at: server.clock.now } as const
      await post(tx, { ...bought, entries: { wallet: -1990, sales: 1990 } })
    })
    await locked.promise
    const paidOut = payOut(student)
    await expect.poll(() => someoneWaits(server)).toBe(true)
    expect((await accounts(server, student.uid))['held']).toBeUndefined()
    go.resolve()
    await buying
    expect(await paidOut).toEqual({ sum: 1010, payments: 1, left: 0 })
    await settleAll(server)
    expect(await accounts(server, student.uid)).toEqual({ 'outside:sandbox': -1990, sales: 1990 })
  })

  test('once, when the process dies between the provider and the books', async () => {
    const student = await server.student()
    await topUp(server, student, 3000)
    const { providers } = server.desk
    const [box] = providers.values()
    if (!box) throw new Error('no provider')
    await payOut(student)
    const deaf: PayProvider = {
      ...box,
      refund: async (request) => {
        await box.refund(request)
        throw new Error('killed')
      },
    }
    Object.assign(server.desk, { providers: new Map([[box.name, deaf]]) })
    await settleAll(server)
    Object.assign(server.desk, { providers })
    expect((await accounts(server, student.uid))['held']).toBe(3000)
    server.clock.now += 600_000
    await settleAll(server)
    expect(await accounts(server, student.uid)).toEqual({})
    expect(await refundedOf(await onlyPayment(student))).toBe(3000)
  })
})
