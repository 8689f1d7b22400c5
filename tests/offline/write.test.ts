import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ExamSittingRecord } from '#src/contract/sitting.ts'
import { type Database, done } from '#src/offline/device/idb.ts'
import { type Act, ALL, answerAct, openRecord } from '#src/offline/device/rows.ts'
import { hear } from '#src/offline/device/steadyClock.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { createWrite, type Written } from '#src/offline/record/write/write.ts'
import { createSettle } from '#src/offline/sync/settle.ts'
import { placeIn } from '#tests/support/states.ts'
import { opIdOf, OWNER } from '#tests/support/waitingOps.ts'

const NOW = Date.UTC(2026, 10, 21, 4)
const written = (part: Partial<Written> = {}): Written => ({
  ctx: { sg_key: 'jg', area: '0', key: 'jg' },
  at: NOW,
  ...part,
})
let db: Database
let record: ReturnType<typeof createRecord>
let write: ReturnType<typeof createWrite>
beforeEach(() => {
  indexedDB = new IDBFactory()
  db = openRecord()
  record = createRecord(db)
  write = createWrite(db)
})
const answer = (part: { opId?: string; chapterNo?: string | null } = {}) => {
  const place = { ...placeIn(), ...(part.chapterNo !== undefined && { chapterNo: part.chapterNo }) }
  const response = { kind: 'choice' as const, ids: ['B'] }
  const fact = { questionNo: 'L_q1', response, spentMs: 900, from: 'set' as const, version: 1, opId: part.opId }
  return answerAct({ ...fact, place, right: true })
}
const dayGoal: Act = { kind: 'setting', payload: { name: 'dayGoal', value: 30 } }
const earned = { score: 150, full: 300, right: 1, total: 2, marks: [150, null] }
const paper = { of: 'testing' as const, no: 'T', rev: 'r1' }
const handIn: Act = {
  kind: 'handIn',
  payload: { attemptId: opIdOf(7), answers: [], paper, mode: 'exam', tookMs: 60_000, spentMs: 900 },
  earned,
}
const ofExam = { attemptId: opIdOf(8), exam: 'E', rev: 'r1', mode: 'exam' as const }
const examBegin: Act = { kind: 'examBegin', payload: ofExam }
const examChoice: Act = {
  kind: 'examChoice',
  payload: {
    attemptId: opIdOf(8),
    questionNo: 'E_q1',
    response: { kind: 'choice', ids: ['A'] },
    spentMs: 1,
    elapsedMs: 1,
  },
}
const examHandIn: Act = {
  kind: 'examHandIn',
  payload: { ...ofExam, choices: [], hash: '0'.repeat(64), elapsedMs: 60_000, spentMs: 900 },
}
const batch = (id: string, mode: string) => ({ key: 'batch:L_c1', value: { mode, deal: { id } } })
/** Every row of every store. */
const onDevice = () =>
  db.run([...ALL], 'readonly', (tx) => Promise.all(ALL.map((name) => done<unknown[]>(tx.objectStore(name).getAll()))))

describe('what is handed in already, in another tab say, is not handed in again, and nothing of it is written:', () => {
  test.each<[string, Act[], Partial<Written>]>([
    ['a paper', [answer(), handIn], {}],
    ['an exam', [examChoice, examHandIn], {}],
    ['a batch', [answer()], { draft: batch('one', 'review') }],
  ])('%s', async (_, acts, part) => {
    expect((await write.all(OWNER, acts, written(part))).opIds).toHaveLength(acts.length)
    const before = await onDevice()
    expect(await write.all(OWNER, acts, written({ ...part, at: NOW + 1_000 }))).toEqual({ opIds: [], touched: [] })
    expect(await onDevice()).toEqual(before)
  })
})

describe('is handed in, although something of the kind is there:', () => {
  test.each<[string, Act[], Act, Partial<Written>]>([
    ['a paper after another one', [handIn], { ...handIn, payload: { ...handIn.payload, attemptId: opIdOf(9) } }, {}],
    ['an exam that was begun', [examBegin], examHandIn, {}],
    ['an exam whose begin is lost', [dayGoal], examHandIn, {}],
    ['a batch that is dealt anew', [dayGoal], answer(), { draft: batch('two', 'review') }],
  ])('%s', async (_, earlier, act, part) => {
    await write.all(OWNER, earlier, written({ draft: batch('one', 'review') }))
    expect((await write.all(OWNER, [act], written(part))).opIds).toHaveLength(1)
    expect((await record.waiting(OWNER)).at(-1)).toMatchObject({ kind: act.kind, payload: act.payload })
  })

  test('an exam that the server has handed in for it', async () => {
    const { attemptId: id, ...ref } = ofExam
    const figures = { answered: 0, elapsedMs: 0, spentMs: 0, flags: [] }
    const body: ExamSittingRecord = {
      ...ref,
      ...figures,
      startedAt: NOW - 60_000,
      handedAt: NOW,
      handIn: '',
      hash: '',
      by: 'server',
    }
    const changes = [{ kind: 'exam' as const, id, body }]
    await createSettle(db).settle(
      OWNER,
      { ops: [], cursor: 0 },
      { verdicts: [], changes, cursor: 1, more: false },
      { wall: NOW, steady: NOW },
    )
    const { opIds } = await write.all(OWNER, [examHandIn], written())
    expect((await record.things(OWNER, 'exam')).get(id)).toMatchObject({ handIn: opIds[0], startedAt: NOW - 60_000 })
  })
})

test('acts that are written together have their own ids, their effect and their place to go on from', async () => {
  const draft = { key: 'paper:T:exam', value: null }
  const acts = [answer({ opId: opIdOf(1) }), handIn, dayGoal]
  const { opIds, touched } = await write.all(OWNER, acts, written({ draft }))
  expect(opIds[0]).toBe(opIdOf(1))
  expect(new Set(opIds).size).toBe(3)
  expect(touched).toEqual(['L_q1', 'attempt', 'setting'])
  expect((await record.waiting(OWNER)).map(({ opId }) => opId)).toEqual(opIds)
  expect((await record.things(OWNER, 'attempt')).get(opIdOf(7))).toMatchObject(earned)
  expect(await record.drafts(OWNER, 'paper:')).toEqual([{ owner: OWNER, ...draft }])
})

describe('an act is dated', () => {
  // The server is half a second ahead, and has said so a second before.
  const told = { server: NOW + 500, reading: { wall: NOW, steady: 1_000 } }
  const here = { at: NOW + 1_000, steady: 2_000, skewMs: 500 }
  test.each([
    ['now', undefined, { clientAt: NOW + 1_000, own: NOW + 1_000, sure: 1_000, since: NOW + 1_500 }],
    ['as long ago as it was done', NOW + 1_300, { clientAt: NOW + 800, own: NOW + 800, sure: 800, since: NOW + 1_300 }],
    [
      'now where it says later',
      NOW + 9_000,
      { clientAt: NOW + 1_000, own: NOW + 1_000, sure: 1_000, since: NOW + 1_500 },
    ],
    ['before the page began', NOW - 500, { clientAt: NOW - 1_000, own: NOW - 1_000, sure: 0, since: NOW - 500 }],
  ])('%s, by each measure of the device', async (_, at, { clientAt, ...measured }) => {
    await db.run(['meta'], 'readwrite', (tx) => hear(tx, told.server, told.reading))
    await write.all(OWNER, [{ ...dayGoal, at }], written(here))
    expect(await record.waiting(OWNER)).toMatchObject([{ clientAt, measured, skewMs: 500 }])
    expect((await record.things(OWNER, 'setting')).get('dayGoal')).toMatchObject({ at: clientAt + 500 })
  })

  test('at the earliest by the first moment of a clock that has lost its date', async () => {
    await write.all(OWNER, [{ ...dayGoal, at: NOW - 5_000 }], written({ at: 1_000, skewMs: NOW }))
    const [op] = await record.waiting(OWNER)
    expect(op).toMatchObject({ clientAt: 0, measured: { own: 0, sure: 0 } })
    expect(op?.measured).not.toHaveProperty('since')
  })
})

describe('an answer', () => {
  test('to a question of no chapter counts like any other', async () => {
    await write.answer(OWNER, answer({ chapterNo: null }), written())
    expect(await record.allCounters(OWNER)).toMatchObject([{ chapterNo: '', sums: { done: 1, right: 1 } }])
  })

  test.each(['L_c1', null])(
    'reads the sums of its chapter (%s) once, side by side with all else',
    async (chapterNo) => {
      const read = vi.spyOn(IDBObjectStore.prototype, 'get')
      await write.answer(OWNER, answer({ chapterNo }), written())
      const stores = read.mock.contexts.map((store) => store instanceof IDBObjectStore && store.name)
      const ofSums = read.mock.calls.filter((__, i) => stores[i] === 'sums')
      read.mockRestore()
      expect(ofSums).toEqual([[[OWNER, chapterNo ?? '']]])
    },
  )
})
