import { keys } from 'idb-keyval'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newBatch, openFound } from '#src/features/question/practice/openBatch.ts'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { offline } from '#src/offline/index.ts'
import { packs } from '#src/offline/downloads/packs/packs.ts'
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

/** An answer of another place: a device keeps none of the library's blocks. */
const answerOne = (questionNo: string, chapterNo: string, right = true) =>
  offline.recordAnswer({
    questionNo,
    response: { kind: 'choice', ids: ['B'] },
    spentMs: 1000,
    from: 'set',
    version: 1,
    right,
    place: { chapterNo, libraryNo: chapterNo.slice(0, chapterNo.indexOf('_')), points: [], type: 'single' },
  })
async function answered(bank: string, count: number, perChapter: number, right = true): Promise<void> {
  for (let i = 0; i < count; i++)
    await answerOne(`${bank}_q${i + 1}`, `${bank}_c${Math.floor(i / perChapter) + 1}`, right)
}
const blocksAsked = () => wire.sent.filter(({ path }) => path.includes('question/block')).length

describe('a library of which much is done, and of which this device keeps no block', () => {
  const PER_CHAPTER = 60
  let bank = ''
  let banks = 0
  beforeEach(async () => {
    bank = `D${++banks}`
    await importBank(server.db, server.mediaDir, bankJson({ prefix: bank, chapters: 3, perChapter: PER_CHAPTER }))
  })
  const deal = async (pick: 'undone' | 'wrong' = 'undone', size = 10) => {
    const client = createQueryClient(session.owner())
    const batch = await newBatch(client, bank, size, pick)
    client.clear()
    return batch?.items.map(({ part }) => part.no) ?? null
  }

  test('goes on at the first block with something left, without a look at what is finished', async () => {
    await answered(bank, 2 * PER_CHAPTER + 30, PER_CHAPTER)
    expect(await deal()).toEqual(Array.from({ length: 10 }, (_, i) => `${bank}_q${2 * PER_CHAPTER + 31 + i}`))
    expect(blocksAsked(), 'the library’s own first block is asked for with its outline').toBeLessThanOrEqual(2)
  })
  test('is finished at once where all of it is', async () => {
    await answered(bank, 3 * PER_CHAPTER, PER_CHAPTER)
    expect(await deal()).toBeNull()
    expect(blocksAsked()).toBeLessThanOrEqual(1)
  })
  test('deals what was passed over, too', async () => {
    for (const n of [41, 42, 43]) await answerOne(`${bank}_q${n}`, `${bank}_c1`)
    await answered(bank, 30, PER_CHAPTER)
    const rest = await deal('undone', 3 * PER_CHAPTER)
    expect(rest).toHaveLength(3 * PER_CHAPTER - 33)
    expect(new Set(rest).size).toBe(3 * PER_CHAPTER - 33)
  })
  test('has nothing to practise again where nothing is wrong, and asks for no block to say so', async () => {
    await answered(bank, 40, PER_CHAPTER)
    expect(await deal('wrong')).toBeNull()
    expect(blocksAsked()).toBeLessThanOrEqual(1)
    await answered(bank, 2, PER_CHAPTER, false)
    expect(await deal('wrong')).toEqual([`${bank}_q1`, `${bank}_q2`])
  })
})
