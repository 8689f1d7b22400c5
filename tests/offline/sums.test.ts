import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import type { StudyState } from '#src/contract/study.ts'
import { apply } from '#src/domain/study/study.ts'
import { contributions, detailOf, plus, type Sums } from '#src/domain/study/sums.ts'
import { createDatabase } from '#src/offline/device/idb.ts'
import { createLater } from '#src/offline/afterFirst.ts'
import { createRecord } from '#src/offline/record/record.ts'
import { answerAct, openRecord } from '#src/offline/device/rows.ts'
import { takeApart } from '#src/offline/record/sums.ts'
import { createWrite } from '#src/offline/record/write/write.ts'
import { answer } from '#tests/support/facts.ts'
import { recordOf3 } from '#tests/support/schemas.ts'
import { sumsOf } from '#tests/support/sums.ts'

const OWNER = 'u:s1'
const NOW = Date.UTC(2026, 10, 21, 4)
const CHAPTERS = 50
const placeOf = (c: number) => ({
  chapterNo: `c${c}`,
  libraryNo: 'L',
  type: 'single' as const,
  points: [`p${c % 7}`, 'p9'],
})
const missed = (c: number): StudyState =>
  apply(null, answer({ questionNo: `c${c}_q1`, at: NOW, right: false }), placeOf(c))

beforeEach(() => {
  indexedDB = new IDBFactory()
})

/** A miss in each chapter, as version 3 wrote it: all names in one object. */
async function leaveThird(): Promise<Map<string, Sums>> {
  const db = createDatabase('jk-outbox', 3, recordOf3)
  const sums = new Map<string, Sums>()
  await db.run(['states', 'sums'], 'readwrite', async (tx) => {
    for (let c = 0; c < CHAPTERS; c++) {
      const view = missed(c)
      const { chapterNo, libraryNo } = placeOf(c)
      sums.set(chapterNo, contributions(view))
      tx.objectStore('states').put({ owner: OWNER, questionNo: view.questionNo, base: view, view })
      tx.objectStore('sums').put({ owner: OWNER, chapterNo, libraryNo, sums: contributions(view) })
    }
  })
  db.close()
  return sums
}
const detailed = async (record: ReturnType<typeof createRecord>): Promise<number> => {
  const rows = await record.allCounters(OWNER)
  return rows.filter(({ sums }) => Object.keys(sums).some((name) => detailOf(name) !== null)).length
}
const written = { ctx: { sg_key: 'jg', area: '0', key: 'jg' }, at: NOW }

test('what is read for lists leaves out points and groups, which are there for those who ask', async () => {
  const db = openRecord()
  const record = createRecord(db)
  const fact = { questionNo: 'c1_q1', response: { kind: 'choice' as const, ids: ['A'] }, spentMs: 900 }
  await createWrite(db).answer(
    OWNER,
    answerAct({ ...fact, from: 'library', version: 1, place: placeOf(1), right: false }),
    written,
  )
  expect(await detailed(record)).toBe(0)
  expect((await record.allCounters(OWNER, 'points'))[0]?.sums).toMatchObject({ done: 1, 'point:p1:done': 1 })
  const [groups] = await record.allCounters(OWNER, 'groups')
  expect(groups?.sums).toMatchObject({ 'book:0': 1, 'book:0:type:single': 1, 'book:0:point:p9': 1 })
  expect(groups?.sums).not.toHaveProperty('point:p1:done')
})

test('sums of version 3 are read as they are, and go on with the next answer', async () => {
  const before = await leaveThird()
  const db = openRecord()
  const record = createRecord(db)
  expect(await sumsOf((detail) => record.allCounters(OWNER, detail))).toEqual(before)
  const fact = { questionNo: 'c1_q2', response: { kind: 'choice' as const, ids: ['B'] }, spentMs: 900 }
  await createWrite(db).answer(
    OWNER,
    answerAct({ ...fact, from: 'library', version: 1, place: placeOf(1), right: true }),
    written,
  )
  const view = (await record.states(OWNER, ['c1_q2'])).get('c1_q2')
  const after = new Map(before).set('c1', plus(before.get('c1') ?? {}, view ? contributions(view) : {}))
  expect(await sumsOf((detail) => record.allCounters(OWNER, detail))).toEqual(after)
  expect(await detailed(record)).toBe(CHAPTERS - 1)
})

test('they are rewritten some at a time, and by whoever comes after one that was killed in between', async () => {
  const before = await leaveThird()
  const killed = openRecord()
  await killed.run(['sums', 'meta'], 'readwrite', (tx) => takeApart(tx, OWNER))
  const some = await detailed(createRecord(killed))
  expect([some > 0, some < CHAPTERS]).toEqual([true, true])
  killed.close()
  const db = openRecord()
  const record = createRecord(db)
  await createLater(db).purge(OWNER, NOW)
  expect(await detailed(record)).toBe(0)
  expect(await sumsOf((detail) => record.allCounters(OWNER, detail))).toEqual(before)
})
