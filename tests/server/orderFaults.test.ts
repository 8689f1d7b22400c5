import { afterAll, beforeAll, expect, test } from 'vitest'
import { operate } from '#server/order/operator.ts'
import { writeGrant } from '#server/rights/store.ts'
import { during, waiting } from '#tests/support/during.ts'
import { buy, vipOf } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

const DAY = 86_400_000
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(server, vipJson(packageJson('V'), packageJson('W')))
})
afterAll(() => server.close())

const until = async (uid: string) =>
  (await server.db.selectFrom('entitlement').select('until').where('uid', '=', uid).executeTakeFirstOrThrow()).until

test('rights given by two at once are two, not three', async () => {
  const { uid } = await server.student()
  const grant = { uid, kind: 'vip', no: 'V', at: server.clock.now, days: 30, until: null } as const
  const first = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const one = server.db.transaction().execute(async (tx) => {
    await writeGrant(tx, { ...grant, source: 'one' })
    written.resolve()
    await first.promise
  })
  await written.promise
  const two = server.db.transaction().execute((tx) => writeGrant(tx, { ...grant, source: 'two' }))
  await expect.poll(() => waiting(server.db)).toBe(true)
  first.resolve()
  await Promise.all([one, two])
  expect(await until(uid)).toBe(server.clock.now + 60 * DAY)
})

test('what a code gives while a refund takes back a purchase of the same right is still there', async () => {
  const student = await server.student()
  const id = await buy(server, student, { products: [vipOf('V')] })
  const code = { kind: 'vip', no: 'V', at: server.clock.now, days: 7, until: null, source: 'code' } as const
  await during(
    server.db,
    (tx) => writeGrant(tx, { uid: student.uid, ...code }),
    () => operate(server.db, id, { kind: 'approve', reason: '课程停办' }, server.clock.now),
  )
  expect(await until(student.uid)).toBe(server.clock.now + 7 * DAY)
})
