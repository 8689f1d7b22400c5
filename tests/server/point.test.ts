import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'PT', chapters: 1, perChapter: 1 }))
})
afterAll(() => server.close())

test('the points of every library have their names, also for visitors', async () => {
  expect(await server.call(contract.point.getNames, {})).toMatchObject({ PT_p1: '军史' })
})
