import type { QueryClient } from '@tanstack/react-query'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PlainQuestion } from '#src/contract/question.ts'
import { placeOf } from '#src/domain/study/study.ts'
import { newBatch, openBatch, startRound } from '#src/features/question/practice/openBatch.ts'
import { chapterBatch } from '#src/offline/drafts/practice.ts'
import { loadSetup, saveSetup } from '#src/features/question/setup.ts'
import { createQueryClient } from '#src/offline/device/cache.ts'
import { offline } from '#src/offline/index.ts'
import { next, type PlayerState } from '#src/player/playerState.ts'
import { snapshot } from '#src/player/snapshot.ts'
import { session } from '#src/session/session.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

/** What becomes of a batch that was dealt and left, when its library is opened again. */
let server: TestServer
let wire: Wire
let client: QueryClient
let banks = 0
let bank = ''
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  wire = connect(server)
  prepareDevice()
  client = createQueryClient(session.owner())
  bank = `V${++banks}`
  await importBank(server.db, server.mediaDir, library())
})
afterEach(() => {
  client.clear()
  wire.restore()
})

const choice = { type: 'single', options: ['甲', '乙', '丙'], answer: 'B', analysis: '略' }
/** A chapter of two choices, a material of two sub-questions, and a choice; and one of three choices. */
const library = () => ({
  ...bankJson({ prefix: bank, chapters: 2, perChapter: 0 }),
  questions: [
    { ...choice, stem: '第一' },
    { ...choice, stem: '第二' },
    {
      type: 'composite',
      stem: '材料一则',
      parts: [
        { ...choice, stem: '小一' },
        { ...choice, stem: '小二' },
      ],
    },
    { ...choice, stem: '第五' },
    { ...choice, stem: '第六' },
    { ...choice, stem: '第七' },
    { ...choice, stem: '第八' },
  ].map((question, i) => ({ ...question, no: `${bank}_q${i}`, chapter: `${bank}_c${i < 4 ? 1 : 2}` })),
})

const stems = (state: PlayerState | null) => state?.items.map(({ part }) => part.stem.replace(/<[^>]+>/g, '')) ?? []
const leave = (state: PlayerState) => offline.saveDraft({ key: chapterBatch.key(bank), value: snapshot(state) })
const open = (size = 5) => openBatch(client, bank, size)
const partAt = (state: PlayerState, n: number): PlainQuestion => {
  const part = state.items[n]?.part
  if (!part) throw new Error('no such question')
  return part
}
/** A chapter, a set, another device: the record does not tell where. */
const answerElsewhere = (part: PlainQuestion, right = true) =>
  offline.recordAnswer({
    questionNo: part.no,
    response: { kind: 'choice', ids: [right ? 'B' : 'A'] },
    spentMs: 1_000,
    from: 'set',
    version: 1,
    right,
    place: placeOf(part, { chapterNo: `${bank}_c1`, libraryNo: bank }),
  })
/** Five questions, the first chapter's, left as they were dealt or after `event`s. */
async function left(...events: Parameters<typeof next>[1][]): Promise<PlayerState> {
  const dealt = await open()
  if (!dealt) throw new Error('nothing was dealt')
  const state = events.reduce(next, dealt)
  await leave(state)
  return state
}
const FIVE = ['第一', '第二', '小一', '小二', '第五']

describe('of which nothing was begun', () => {
  test('comes back as it was dealt, of its size too, when nothing of it was answered', async () => {
    await left()
    expect(stems(await open(3))).toEqual(FIVE)
  })
  test('comes back without what was answered elsewhere, with what was struck out of the rest, from this device alone', async () => {
    const dealt = await left()
    const second = partAt(dealt, 1)
    await leave(next(dealt, { type: 'strike', part: second, id: 'A' }))
    await answerElsewhere(partAt(dealt, 0))
    wire.fault = nobody
    const state = await open()
    expect(stems(state)).toEqual(['第二', '小一', '小二', '第五'])
    expect(state?.parts[second.no]?.struck).toEqual(['A'])
  })
  test('is dealt anew when all of it was answered elsewhere', async () => {
    const state = await left()
    for (const { part } of state.items) await answerElsewhere(part)
    expect(stems(await open())).toEqual(['第六', '第七', '第八'])
  })
  test('keeps a material as long as one of its sub-questions is to be done', async () => {
    const state = await left()
    await answerElsewhere(partAt(state, 2))
    expect(stems(await open(3))).toEqual(FIVE)
    await answerElsewhere(partAt(state, 3))
    expect(stems(await open(3))).toEqual(['第一', '第二', '第五'])
  })
  test('when all of it and all else was answered elsewhere leaves nothing to do', async () => {
    const all = await openBatch(client, bank, 20)
    if (!all) throw new Error('nothing was dealt')
    await leave(all)
    for (const { part } of all.items) await answerElsewhere(part)
    expect(await open()).toBeNull()
  })
  test('comes back where nothing else can be had now', async () => {
    const state = await left()
    for (const { part } of state.items) await answerElsewhere(part)
    wire.fault = nobody
    expect(stems(await open())).toEqual(FIVE)
    wire.fault = null
    expect(stems(await open())).toEqual(['第六', '第七', '第八'])
  })
  test('in a new round has what was answered before it', async () => {
    const first = await left()
    for (const { part } of first.items) await answerElsewhere(part)
    await startRound(bank, Date.now() + 1)
    await offline.dropDraft(chapterBatch.key(bank))
    await left()
    expect(stems(await open(3))).toEqual(FIVE)
  })
  test('and that was dealt by a choice goes by that choice', async () => {
    saveSetup({ ...loadSetup(bank), pick: 'wrong' })
    const all = await newBatch(client, bank, 20, 'undone')
    expect(all).toBeNull()
    saveSetup({ ...loadSetup(bank), pick: 'undone' })
    const undone = await left()
    for (const n of [0, 1, 4]) await answerElsewhere(partAt(undone, n), false)
    saveSetup({ ...loadSetup(bank), pick: 'wrong' })
    await left()
    expect(stems(await open())).toEqual(['第一', '第二', '第五'])
    await answerElsewhere(partAt(undone, 1))
    expect(stems(await open())).toEqual(['第一', '第五'])
  })
})

describe('stays as it was left, although some of it was answered elsewhere,', () => {
  test('when a later question was gone to', async () => {
    await answerElsewhere(partAt(await left({ type: 'go', at: 1 }), 0))
    const state = await open()
    expect([stems(state), state?.at]).toEqual([FIVE, 1])
  })
  test('when it is of those that were wrong, as the student asked for', async () => {
    const dealt = await left()
    for (const n of [0, 1]) await answerElsewhere(partAt(dealt, n), false)
    const wrong = await newBatch(client, bank, 5, 'wrong')
    if (!wrong) throw new Error('nothing was wrong')
    await leave(wrong)
    expect(stems(await open())).toEqual(['第一', '第二'])
  })
  test('when an earlier app kept it, which did not say how it came to be', async () => {
    const { dealt: _, ...state } = await left()
    await leave(state)
    await answerElsewhere(partAt(state, 0))
    expect(stems(await open())).toEqual(FIVE)
  })
})
