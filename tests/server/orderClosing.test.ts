import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { closeAccount } from '#server/user/closing.ts'
import { lockWallet } from '#server/wallet/store.ts'
import { type Buyer, buy, order, vipOf, wantedOf } from '#tests/support/orders.ts'
import { waiting } from '#tests/support/during.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(server, vipJson(packageJson('V')))
})
afterAll(() => server.close())

/** Calls while the account closes: that has the lock already, and when the call gets it the student is gone. */
async function callWhileClosing<T>({ uid }: Buyer, call: () => Promise<T>): Promise<T> {
  const locked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const closing = server.db.transaction().execute(async (tx) => {
    await lockWallet(tx, uid)
    locked.resolve()
    await go.promise
    await closeAccount(tx, uid, null, async () => {})
  })
  await locked.promise
  const called = call()
  await expect.poll(() => waiting(server.db)).toBe(true)
  go.resolve()
  await closing
  return called
}
const GONE = { status: 0, msg: '账号已注销，请重新登录', data: null }
const count = async (table: 'orders' | 'payment' | 'wallet', uid: string) =>
  (await server.db.selectFrom(table).select('uid').where('uid', '=', uid).execute()).length

test.each([
  ['never had a wallet', 0],
  ['has an empty wallet', 1],
])(
  'an order under way while the account closes is refused, and nothing is left of it: of who %s',
  async (_, earlier) => {
    const student = await server.student()
    for (let n = 0; n < earlier; n++) {
      const { id } = await order(server, student, { products: [vipOf('V')] })
      await server.call(contract.order.cancel, { id }, student.token)
    }
    expect(await count('wallet', student.uid)).toBe(earlier)
    const wanted = await wantedOf(server, student, { products: [vipOf('V')] })
    expect(await callWhileClosing(student, () => server.ask(contract.order.create, wanted, student.token))).toEqual(
      GONE,
    )
    expect(await count('orders', student.uid)).toBe(earlier)
    expect(await count('wallet', student.uid)).toBe(0)
  },
)

test('so is a top-up', async () => {
  const student = await server.student()
  const wanted = { key: randomUUID(), amount: 1000, method: 'sandbox', device: 'phone' } as const
  expect(await callWhileClosing(student, () => server.ask(contract.wallet.topUp, wanted, student.token))).toEqual(GONE)
  expect(await count('payment', student.uid)).toBe(0)
})

test('so is asking for a refund: nobody could be given it', async () => {
  const student = await server.student()
  const id = await buy(server, student, { products: [vipOf('V')] })
  const asked = { id, reason: '买错了' }
  expect(await callWhileClosing(student, () => server.ask(contract.order.askRefund, asked, student.token))).toEqual(
    GONE,
  )
  const { state } = await server.db.selectFrom('orders').select('state').where('id', '=', id).executeTakeFirstOrThrow()
  expect(state).toBe('completed')
})
