import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { steps } from '#tests/support/orderSteps.ts'
import { World } from '#tests/support/orderWorld.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await publishVip(server, vipJson(packageJson('V')))
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'B', chapters: 1, perChapter: 20 }))
  const nos = Array.from({ length: 14 }, (_, n) => `B_q${n + 1}`)
  await publish(server.db, { ...setJson({ no: 'S', papers: [[nos]] }), price: 900 })
})
afterAll(() => server.close())
beforeEach(() => {
  server.deliver.to = server.notify
})

test('any life of a shop keeps its books: ledger, stock, rights and orders agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 30, size: 'max' }), async (life) => {
      const world = new World(server)
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
