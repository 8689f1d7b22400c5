import { keys } from 'idb-keyval'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newBatch, openFound } from '#src/features/question/batch.ts'
import { createQueryClient } from '#src/offline/cache.ts'
import { cacheStore } from '#src/offline/cacheStore.ts'
import { packs } from '#src/offline/packs.ts'
import { session } from '#src/session/session.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, type Wire } from '#tests/support/wire.ts'

let server: TestServer
let wire: Wire
beforeAll(async () => {
  server = await startServer()
  await publish('旧')
  prepareDevice()
})
afterAll(() => server.close())
beforeEach(() => void (wire = connect(server)))
afterEach(() => {
  wire.restore()
  vi.restoreAllMocks()
})

const keysOf = async () => await keys<string>(cacheStore(session.owner()))

async function publish(analysis: string): Promise<void> {
  const bank = bankJson({ prefix: 'B', chapters: 1, perChapter: 90 })
  const questions = bank.questions.map((question) => ({ ...question, analysis }))
  await importBank(server.db, server.mediaDir, { ...bank, questions })
}

test.each([
  ['is downloaded anew', true],
  ['changes on the server', false],
])('a library that %s while a batch is dealt gives it one version, the new one', async (_, packed) => {
  await publish('旧')
  await (packed ? packs.start('B') : packs.remove('B'))
  const client = createQueryClient(session.owner())
  const { ensureQueryData } = client
  let blocks = 0
  vi.spyOn(client, 'ensureQueryData').mockImplementation(async (options) => {
    if (options.queryKey[3] === 'question/block' && ++blocks === 2) {
      await publish('新')
      if (packed) await packs.start('B')
    }
    return ensureQueryData.call(client, options)
  })
  const batch = await newBatch(client, 'B', 80, 'undone')
  const versions = batch?.items.map(({ part }) => part.analysis.replace(/<[^>]+>/g, ''))
  expect(versions).toHaveLength(80)
  expect(new Set(versions)).toEqual(new Set(['新']))
  expect(new Set(batch?.items.map(({ part }) => part.no)).size).toBe(80)
  client.clear()
})

test('a question opened by its number is the server’s newest, though the app has just been started', async () => {
  await packs.remove('B')
  await publish('旧')
  const before = createQueryClient(session.owner())
  expect((await openFound(before, 'B_c1', undefined, 'B_q1'))?.items[0]?.part.analysis).toContain('旧')
  // A query is kept on the disk a moment after its answer.
  await expect.poll(async () => (await keysOf()).filter((key) => key.startsWith('q')).length).toBeGreaterThanOrEqual(3)
  before.clear()
  await publish('新')
  const after = createQueryClient(session.owner())
  expect((await openFound(after, 'B_c1', undefined, 'B_q1'))?.items[0]?.part.analysis).toContain('新')
  after.clear()
})
