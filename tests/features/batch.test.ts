import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newBatch, openBatch } from '#src/features/question/batch.ts'
import { draftKey } from '#src/features/question/dealt.ts'
import { placeOf } from '#src/domain/study.ts'
import type { PlainQuestion } from '#src/contract/question.ts'
import { type AnswerFact, offline } from '#src/offline/index.ts'
import { snapshot } from '#src/player/snapshot.ts'
import { createQueryClient } from '#src/offline/cache.ts'
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

const answered = (part: PlainQuestion): AnswerFact => ({
  questionNo: part.no,
  response: { kind: 'choice', ids: ['B'] },
  spentMs: 1_000,
  from: 'library',
  version: 1,
  right: true,
  place: placeOf(part, { chapterNo: 'B_c1', libraryNo: 'B' }),
})

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

test('a batch of which nothing was begun is dealt anew: what was done elsewhere since, and another size, count', async () => {
  const client = createQueryClient(session.owner())
  const untouched = await openBatch(client, 'B', 5)
  const first = untouched?.items[0]?.part
  if (!untouched || !first) throw new Error('nothing was dealt')
  const draft = { key: draftKey('B'), value: snapshot(untouched) }
  await offline.recordAnswer(answered(first), draft)
  const next = await openBatch(client, 'B', 7)
  expect(next?.items).toHaveLength(7)
  expect(next?.items.map(({ part }) => part.no)).not.toContain(first.no)

  if (!next) throw new Error('nothing was dealt')
  await offline.saveDraft({ key: draftKey('B'), value: snapshot({ ...next, at: 2 }) })
  const left = await openBatch(client, 'B', 9)
  expect([left?.at, left?.items.length]).toEqual([2, 7])
  client.clear()
})
