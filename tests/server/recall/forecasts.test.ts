import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { OpRecord, StudyState } from '#src/contract/study.ts'
import { recallAfter } from '#src/domain/study/review.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { keepForecasts } from '#server/study/recall/forecastJob.ts'
import { readRecallReport } from '#server/study/recall/report.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { walk } from '#tests/support/jobs.ts'
import { answerOp, opOf } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const QUESTIONS = 40
const DAY_MS = 86_400_000

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'T', chapters: 1, perChapter: QUESTIONS }))
})
afterAll(() => server.close())

type Student = Awaited<ReturnType<TestServer['student']>>
let seq = 0
async function sync({ uid, token }: Student, ops: OpRecord[]): Promise<StudyState[]> {
  const call = { device: randomUUID(), owner: uid, proto: 1 as const, sentAt: server.clock.now, cursor: 0, ops }
  const { changes } = await server.call(contract.study.sync, call, token)
  return changes.flatMap((each) => (each.kind === 'state' ? [each.state] : []))
}
const answers = (who: Student, isRight: (question: number) => boolean, count = QUESTIONS) =>
  sync(
    who,
    Array.from({ length: count }, (_, q) =>
      answerOp(`T_q${q + 1}`, isRight(q), { seq: ++seq, at: server.clock.now + q }),
    ),
  )
const setExam = (who: Student, inDays: number) =>
  sync(who, [
    opOf(
      'setting',
      { name: 'examDate', value: dateOf(dayOf(server.clock.now) + inDays) },
      { seq: ++seq, at: server.clock.now },
    ),
  ])
const pass = (days: number) => {
  server.clock.now += days * DAY_MS
}
async function keepAll(): Promise<void> {
  while (await keepForecasts(server.db, walk(server.clock.now)));
}
const kept = ({ uid }: Student) =>
  server.db.selectFrom('exam_forecast').selectAll().where('uid', '=', uid).orderBy('horizon', 'desc').execute()
const foretold = async ({ uid }: Student) => {
  const { rows } = await sql<{ foretold: number | null }>`
    select foretold from study_op where uid = ${uid} and kind = 'answer' order by effective_at`.execute(server.db)
  return rows.map((row) => row.foretold)
}

test('an answer is kept with the chance that it would be right, as it stood before it came', async () => {
  const who = await server.student()
  await answers(who, () => false, 1)
  server.clock.now += 1_000
  await answers(who, () => true, 1)
  const [known] = await sync(who, [])
  pass(3)
  await answers(who, () => true, 1)
  const chance = known?.memory ? recallAfter(3, known.memory) : 0
  // The first one, and one on the same day, are foretold by nothing.
  expect(await foretold(who)).toEqual([null, null, Math.round(1_000 * chance)])
  expect(chance).toBeGreaterThan(0)
})

test('answers that come in one batch, days apart, are each foretold by those before them', async () => {
  const who = await server.student()
  const at = (day: number) => server.clock.now - (9 - day) * DAY_MS
  const ops = [0, 1, 4].map((day) => answerOp('T_q1', day > 0, { seq: ++seq, at: at(day) }))
  await sync(who, ops)
  const [first, second, third] = await foretold(who)
  expect(first).toBeNull()
  expect(second).toBeGreaterThan(0)
  expect(third).not.toBe(second)
})

test('the report sets what was foretold of answers beside what came', async () => {
  pass(1)
  const since = server.clock.now
  const who = await server.student()
  await answers(who, () => true)
  pass(2)
  // An answer that is taken back says nothing of a memory.
  const slip = answerOp('T_q1', false, { seq: ++seq, at: server.clock.now })
  const undo = opOf('retract', { questionNo: 'T_q1', target: slip.opId }, { seq: ++seq, at: server.clock.now + 1 })
  await sync(who, [slip])
  await sync(who, [undo])
  server.clock.now += 1_000
  await answers(who, (q) => q % 4 !== 0)
  const { calibration } = await readRecallReport(server.db, since)
  const said = (await foretold(who)).filter((chance) => chance !== null)
  expect(said).toHaveLength(QUESTIONS + 1)
  expect(calibration).toEqual([
    { from: 0.9, to: 1, answers: QUESTIONS, said: expect.closeTo((said[0] ?? 0) / 1_000, 6), came: 0.75 },
  ])
})

test('what is foretold of exam day 30, 14 and 7 days before is kept, once each, and compared when the day is over', async () => {
  const since = server.clock.now
  const who = await server.student()
  await answers(who, (q) => q % 2 === 0)
  await setExam(who, 31)
  await keepAll()
  expect(await kept(who)).toEqual([])
  pass(1)
  await keepAll()
  const [first] = await kept(who)
  const examDay = dayOf(server.clock.now) + 30
  expect(first).toMatchObject({
    exam_day: examDay,
    horizon: 30,
    made_at: server.clock.now,
    studied: QUESTIONS,
    came: null,
  })
  expect(first?.known).toBeGreaterThan(first?.low ?? 1)
  expect(first?.known).toBeLessThan(first?.high ?? 0)
  pass(1)
  await keepAll()
  expect(await kept(who)).toEqual([first])

  // The server was down on the fourteenth day before.
  pass(16)
  const states = await answers(who, () => true)
  await keepAll()
  expect((await kept(who)).map(({ horizon, made_at }) => [horizon, examDay - dayOf(made_at)])).toEqual([
    [30, 30],
    [14, 13],
  ])
  pass(13)
  await keepAll()
  expect((await kept(who)).map(({ came }) => came)).toEqual([null, null])
  pass(1)
  await keepAll()
  const chances = states.map(({ lastAt, memory }) => (memory ? recallAfter(examDay - dayOf(lastAt), memory) : 0))
  const came = chances.reduce((sum, chance) => sum + chance, 0) / QUESTIONS
  const compared = await kept(who)
  expect(compared.map((each) => each.came)).toEqual([expect.closeTo(came, 5), expect.closeTo(came, 5)])
  const { horizons } = await readRecallReport(server.db, since)
  expect(horizons).toEqual(
    compared.map(({ horizon, known, low, high }) => ({
      days: horizon,
      made: 1,
      compared: 1,
      said: expect.closeTo(known ?? 0, 5),
      came: expect.closeTo(came, 5),
      off: expect.closeTo(Math.abs((known ?? 0) - came), 5),
      held: came >= (low ?? 1) && came <= (high ?? 0) ? 1 : 0,
    })),
  )
})

test('what was studied after a forecast, or on the exam day and later, is none of what it is compared with', async () => {
  const who = await server.student()
  await answers(who, () => true, 25)
  await setExam(who, 7)
  pass(1)
  await setExam(who, 7)
  await keepAll()
  pass(1)
  const states = await answers(who, () => false)
  pass(6)
  // Those are the answers of who sits the paper, and learns from it.
  await answers(who, () => true)
  pass(1)
  await keepAll()
  const [only] = await kept(who)
  const on = only?.exam_day ?? 0
  const chances = states
    .filter(({ times }) => times === 2)
    .map(({ lastAt, memory }) => (memory ? recallAfter(on - dayOf(lastAt), memory) : 0))
  expect(chances).toHaveLength(25)
  expect(only).toMatchObject({ studied: 25, came: expect.closeTo(chances.reduce((sum, c) => sum + c, 0) / 25, 5) })
})

test('what was studied on the day of a forecast, before it, is compared', async () => {
  const who = await server.student()
  await setExam(who, 7)
  const states = await answers(who, () => true)
  server.clock.now += 60_000
  await keepAll()
  pass(8)
  await keepAll()
  const [only] = await kept(who)
  const chances = states.map(({ lastAt, memory }) =>
    memory ? recallAfter((only?.exam_day ?? 0) - dayOf(lastAt), memory) : 0,
  )
  expect(only?.came).toBeCloseTo(chances.reduce((sum, chance) => sum + chance, 0) / QUESTIONS, 5)
})

test('an exam day that the student has moved meanwhile is compared with nothing', async () => {
  const who = await server.student()
  await setExam(who, 7)
  await answers(who, () => true)
  await keepAll()
  pass(1)
  await setExam(who, 60)
  pass(8)
  await keepAll()
  expect(await kept(who)).toMatchObject([{ horizon: 7, came: null, compared: true }])
})

test('nothing is foretold of too few questions, and they are not looked at again', async () => {
  const who = await server.student()
  await answers(who, () => true, 19)
  await setExam(who, 7)
  await keepAll()
  expect(await kept(who)).toMatchObject([{ studied: 19, known: null, compared: true }])
  expect(await keepForecasts(server.db, walk(server.clock.now))).toBe(false)
  pass(8)
  expect(await keepForecasts(server.db, walk(server.clock.now))).toBe(false)
  expect(await kept(who)).toMatchObject([{ came: null, compared: true }])
})

test('nothing is begun by a server that is to end', async () => {
  const who = await server.student()
  await answers(who, () => true)
  await setExam(who, 7)
  expect(await keepForecasts(server.db, walk(server.clock.now, { stop: AbortSignal.abort() }))).toBe(false)
  expect(await kept(who)).toEqual([])
})
