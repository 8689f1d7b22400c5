import 'fake-indexeddb/auto'
import { default_w as mostPeoples } from 'ts-fsrs'
import { beforeEach, expect, test } from 'vitest'
import { MEMORY_FIT } from '#src/contract/memoryFit.ts'
import type { Change, StudyState } from '#src/contract/study.ts'
import { fitText } from '#src/domain/study/memoryFit.ts'
import { modelOf, remembered } from '#src/domain/study/review.ts'
import { blankState } from '#src/domain/study/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import type { Database } from '#src/offline/device/idb.ts'
import { answerAct, openRecord, type WaitingOp } from '#src/offline/device/rows.ts'
import { readFigures } from '#src/offline/record/figures.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { createWrite } from '#src/offline/record/write/write.ts'
import { createSettle } from '#src/offline/sync/settle.ts'
import { placeIn } from '#tests/support/states.ts'
import { opIdOf, OWNER } from '#tests/support/waitingOps.ts'

/** A device whose student has parameters of their own: what it folds before the server does is the same. */
const NOW = Date.UTC(2026, 10, 21, 4)
const DAY_MS = 86_400_000
const weights = mostPeoples.map((weight, i) => (i < 4 ? weight / 4 : i === 8 ? weight - 0.7 : weight))
const model = modelOf(weights)
const fit: Change = {
  kind: 'setting',
  id: MEMORY_FIT,
  body: { at: NOW, opId: '', value: fitText({ weights, reviews: 512, at: NOW }) },
}
const memory = { stability: 4, difficulty: 6 }
const known: StudyState = { ...blankState('q1', placeIn()), times: 3, lastAt: NOW - 5 * DAY_MS, memory }
const expected = remembered(memory, 5, true, model)

let db: Database
let record: ReturnType<typeof createRecord>
beforeEach(() => {
  indexedDB = new IDBFactory()
  db = openRecord()
  record = createRecord(db)
})
const settle = (changes: Change[], ops: WaitingOp[] = [], cursor = 0) =>
  createSettle(db).settle(
    OWNER,
    { ops, cursor },
    { verdicts: [], changes, cursor: cursor + 1, more: false },
    { wall: NOW, steady: NOW },
  )
const answer = (seq = 1) =>
  createWrite(db).answer(
    OWNER,
    answerAct({
      questionNo: 'q1',
      response: { kind: 'choice', ids: ['B'] },
      spentMs: 900,
      from: 'library',
      version: 1,
      opId: opIdOf(seq),
      place: placeIn(),
      right: true,
    }),
    { ctx: { sg_key: 'jg', area: '0', key: 'jg' }, at: NOW },
  )
const memoryOf = async () => (await record.states(OWNER, ['q1'])).get('q1')?.memory

test('an answer without a network is remembered by the student’s own parameters', async () => {
  await settle([fit, { kind: 'state', state: known }])
  await answer()
  expect(await memoryOf()).toEqual(expected)
  expect(expected).not.toEqual(remembered(memory, 5, true))
})

test('what waits is folded by the parameters that come with the states it goes on from', async () => {
  await answer()
  expect(await memoryOf()).toEqual(remembered(undefined, 0, true))
  // The order in which they come makes no difference.
  await settle([{ kind: 'state', state: known }, fit])
  expect(await memoryOf()).toEqual(expected)
})

test('most people’s parameters count again once the student’s own are taken back', async () => {
  await settle([fit, { kind: 'state', state: known }])
  const none: Change = { ...fit, body: { ...fit.body, value: '' } }
  await settle([none, { kind: 'state', state: known }], [], 1)
  await answer()
  expect(await memoryOf()).toEqual(remembered(memory, 5, true))
})

test('plan and statistics are told of the parameters, and another account on the device has none of them', async () => {
  await settle([fit])
  const read = (owner: string) =>
    readFigures(
      {
        allCounters: () => record.allCounters(owner),
        states: (nos) => record.states(owner, nos),
        things: (kind) => record.things(owner, kind),
        loadDraft: () => Promise.resolve(null),
        saveDraft: () => Promise.resolve(),
        owner,
      },
      NOW,
    )
  expect((await read(OWNER)).fit).toMatchObject({ reviews: 512, weights })
  expect((await read(OWNER)).model).toBeDefined()
  expect(await read('u:other')).toMatchObject({ fit: null, model: undefined })
  expect(dayOf(NOW)).toBe((await read(OWNER)).today)
})
