import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeGrant } from '#server/rights/store.ts'
import { someoneWaits } from '#tests/support/orders.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

const DAY = 86_400_000
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(server, vipJson(packageJson('V'), packageJson('W')))
})
afterAll(() => server.close())

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
  await expect.poll(() => someoneWaits(server)).toBe(true)
  first.resolve()
  await Promise.all([one, two])
  const { until } = await server.db
    .selectFrom('entitlement')
    .select('until')
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  expect(until).toBe(server.clock.now + 60 * DAY)
})
