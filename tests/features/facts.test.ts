import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Known, readFacts } from '#src/features/question/facts.ts'
import { createQueryClient } from '#src/offline/cache.ts'
import { packs } from '#src/offline/packs.ts'
import { session } from '#src/session/session.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

let server: TestServer
let wire: Wire
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'F', chapters: 2, perChapter: 250 }))
  wire = connect(server)
  prepareDevice()
})
afterAll(async () => {
  wire.restore()
  await server.close()
})

async function counted(no: string): Promise<Known | null> {
  let last: Known | null = null
  const client = createQueryClient(session.owner())
  await readFacts(client, no, (known) => (last = known), new AbortController().signal)
  client.clear()
  return last
}

test('a chapter too long to fetch for a count says how many are unknown; downloaded, it is counted whole without a network', async () => {
  expect(await counted('F')).toMatchObject({ units: [], unknown: 500 })
  await packs.start('F')
  wire.fault = nobody
  const known = await counted('F')
  expect(known?.unknown).toBe(0)
  expect(known?.units.length).toBe(500)
  expect([...(known?.points.values() ?? [])]).toEqual(['军史'])
})
