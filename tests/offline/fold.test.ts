import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { StudyState } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { type Database, done } from '#src/offline/device/idb.ts'
import { type Act, answerAct, openRecord, type QuestionAct } from '#src/offline/device/rows.ts'
import { createMoves } from '#src/offline/record/moves.ts'
import { createRecord, type Shelf, type ShelfRange } from '#src/offline/record/record.ts'
import { createWrite } from '#src/offline/record/write/write.ts'
import { drain } from '#src/offline/sync/drain.ts'
import { createOutbox } from '#src/offline/sync/outbox.ts'
import { createSettle } from '#src/offline/sync/settle.ts'
import { createModelServer } from '#tests/support/modelServer.ts'
import { placeIn } from '#tests/support/states.ts'
import { opIdOf, OWNER, waitingOp } from '#tests/support/waitingOps.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const questions = [1, 2, 3].map((n) => ({ no: `q${n}`, ...placeIn(), rightId: 'B' }))
let now: number
let db: Database
let record: ReturnType<typeof createRecord>
let write: ReturnType<typeof createWrite>
let server: ReturnType<typeof createModelServer>
beforeEach(() => {
  indexedDB = new IDBFactory()
  now = Date.UTC(2026, 10, 21, 4)
  db = openRecord()
  record = createRecord(db)
  write = createWrite(db)
  server = createModelServer(questions, 500)
})
const written = () => ({ ctx: { sg_key: 'jg', area: '0', key: 'jg' }, at: now })
const inChapter = (chapterNo: string | null) => ({ ...placeIn(), chapterNo })
const answer = (questionNo: string, right: boolean, place = placeIn()) => {
  const response = { kind: 'choice' as const, ids: [right ? 'B' : 'A'] }
  return answerAct({ questionNo, response, spentMs: 900, from: 'library', version: 1, place, right })
}
/** A minute after what was done before. */
const act = async (...acts: Act[]): Promise<string> => {
  now += MINUTE
  return (await write.all(OWNER, acts, written())).opIds[0] ?? ''
}
const give = (questionNo: string, right: boolean, place = placeIn()): Promise<string> => {
  now += MINUTE
  return write.answer(OWNER, answer(questionNo, right, place), written())
}
const about = (questionNo: string) => ({ questionNo })
const collect = (no: string, folder: string): QuestionAct => ({
  kind: 'collect',
  payload: { ...about(no), folder, over: [] },
  place: placeIn(),
})
const note = (no: string, text: string): QuestionAct => ({
  kind: 'note',
  payload: { ...about(no), text, over: [] },
  place: placeIn(),
})
const takeBack = (no: string, target: string, right: boolean): QuestionAct => ({
  kind: 'retract',
  payload: { ...about(no), target },
  place: placeIn(),
  undone: { at: now, right, spentMs: 900 },
})
async function sync(): Promise<void> {
  const send = async (input: Parameters<typeof server.sync>[1]) => {
    const told = server.sync(OWNER.slice(2), input, now)
    if (!told) throw new Error('wrong owner')
    return told
  }
  const parts = { ...createOutbox(db), ...createSettle(db) }
  expect(await drain({ record: parts, owner: OWNER, device: opIdOf(0), send, now: () => now })).toEqual({ to: 'done' })
}
const shown = async (no = 'q1'): Promise<StudyState | undefined> => (await record.states(OWNER, [no])).get(no)
const days = () => record.things(OWNER, 'day')

test('what was done before the last answer, and is written after it, counts as done before it', async () => {
  await give('q1', true)
  await act({ ...answer('q1', false), at: now - MINUTE / 2 })
  expect(await shown()).toMatchObject({ times: 2, wrong: 1, lastRight: true, streak: 1 })
})

describe('an answer that is on the server and is taken back without a network leaves', () => {
  test.each<[string, boolean[], Partial<StudyState>]>([
    ['nothing, where it was the only one', [], { times: 0, wrong: 0, lastAt: 0 }],
    ['the one before it', [true], { times: 1, wrong: 0, lastRight: true }],
  ])('%s, and what was said of the question since', async (_, earlier, left) => {
    for (const right of earlier) await give('q1', right).then(sync)
    const target = await give('q1', false)
    await sync()
    const cause: Act = { kind: 'cause', payload: { ...about('q1'), cause: 'guess' }, place: placeIn() }
    await act(cause, collect('q1', 'f1'), note('q1', '记一笔'))
    await sync()
    await act(takeBack('q1', target, false))
    const after = await shown()
    expect(after).toMatchObject({ ...left, cause: 'guess', collected: [{ folder: 'f1' }], notes: [{ text: '记一笔' }] })
    expect(after).not.toHaveProperty('book')
    await sync()
    expect(await shown()).toEqual(after)
  })
})

test('to take back an answer that the server has refused is no error, and shows nothing of it', async () => {
  const target = await give('gone', false)
  await sync()
  expect(await record.dead(OWNER)).toMatchObject([{ opId: target }])
  await act(takeBack('gone', target, false))
  expect(await shown('gone')).toBeUndefined()
  expect(await record.allCounters(OWNER)).toMatchObject([{ sums: {} }])
})

describe('lists', () => {
  const numbers = async (name: Shelf, range?: ShelfRange) =>
    (await record.shelf(OWNER, name, range)).map(({ questionNo }) => questionNo)

  test('of what is due begin with what is due first, and leave out what is not reviewed', async () => {
    await give('q1', false)
    now -= 3 * DAY
    await give('q2', false)
    await give('q3', true)
    expect(await numbers('due')).toEqual(['q2', 'q1'])
  })

  test('of what was missed are by chapter, also of questions that have none', async () => {
    await give('q1', false)
    await give('q2', false, inChapter(null))
    await give('q3', true)
    expect(await numbers('book', { from: 'L_c1', to: 'L_c1' })).toEqual(['q1'])
    expect(await numbers('book', { from: '', to: '' })).toEqual(['q2'])
  })

  test.each([
    ['collected', collect],
    ['noted', note],
  ] as const)('of what is %s go by when each was last', async (shelf, doIt) => {
    for (const [no, what] of [
      ['q1', 'f1'],
      ['q2', 'f1'],
      ['q1', 'f2'],
    ] as const)
      await act(doIt(no, what))
    await give('q3', true)
    expect(await numbers(shelf)).toEqual(['q2', 'q1'])
  })
})

describe('a day', () => {
  const today = () => String(dayOf(now))
  test('counts a wrong answer, too, that waits', async () => {
    await give('q1', false)
    expect(await days()).toEqual(new Map([[today(), { answered: 1, right: 0, spentMs: 900 }]]))
  })

  test('of which everything is given up is gone', async () => {
    await give('q1', true)
    await createMoves(db).discard(OWNER)
    expect(await days()).toEqual(new Map())
  })

  test('that the server tells of stays, and what waits is added to it', async () => {
    await give('q1', true)
    await sync()
    await give('q2', false)
    expect(await days()).toEqual(new Map([[today(), { answered: 2, right: 1, spentMs: 1_800 }]]))
    await createMoves(db).discard(OWNER)
    expect(await days()).toEqual(new Map([[today(), { answered: 1, right: 1, spentMs: 900 }]]))
  })

  test('is none for a row whose time cannot be read any more', async () => {
    const row = waitingOp(9, { clientAt: Number.NaN })
    await db.run(['ops'], 'readwrite', (tx) => done(tx.objectStore('ops').put(row)))
    await createMoves(db).discard(OWNER)
    expect(await days()).toEqual(new Map())
  })
})

test('many questions are folded with what waits about each, and every sum is that of their states', async () => {
  const acts = Array.from({ length: 120 }, (_, i) => answer(`q${i + 1}`, i % 3 > 0))
  await act(...acts)
  expect(await record.allCounters(OWNER)).toMatchObject([{ sums: { done: 120, answered: 120, right: 80 } }])
  expect(
    (
      await record.states(
        OWNER,
        acts.map(({ payload }) => payload.questionNo),
      )
    ).size,
  ).toBe(120)
  await createMoves(db).discard(OWNER)
  expect(
    (
      await record.states(
        OWNER,
        acts.map(({ payload }) => payload.questionNo),
      )
    ).size,
  ).toBe(0)
})

describe('what belongs to no question', () => {
  const goal = (value: number): Act => ({ kind: 'setting', payload: { name: 'dayGoal', value } })
  const goals = async () => (await record.things(OWNER, 'setting')).get('dayGoal')

  test('is what the server said and, over it, what waits; given up, it is again what the server said', async () => {
    await act(goal(20), { kind: 'folder', payload: { no: 'f1', name: '易错' } })
    await sync()
    expect(await goals()).toMatchObject({ value: 20 })
    expect((await record.things(OWNER, 'folder')).get('f1')).toMatchObject({ name: '易错' })
    await act(goal(30))
    expect(await goals()).toMatchObject({ value: 30 })
    await createMoves(db).discard(OWNER)
    expect(await goals()).toMatchObject({ value: 20 })
    const keys = db.run(['things'], 'readonly', (tx) => done(tx.objectStore('things').getAllKeys()))
    expect(await keys).toEqual([
      [OWNER, 'folder', 'f1'],
      [OWNER, 'setting', 'dayGoal'],
    ])
  })
})
