import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { MEMORY_FIT } from '#src/contract/memoryFit.ts'
import type { Change, OpRecord, StudyState } from '#src/contract/study.ts'
import { seeded } from '#src/domain/question/shuffle.ts'
import { fitIn, fitText } from '#src/domain/study/memoryFit.ts'
import { modelOf, recallAfter, remembered } from '#src/domain/study/review.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { fitTo } from '#server/study/recall/fit.ts'
import { fitNext } from '#server/study/recall/fitJob.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { walk } from '#tests/support/jobs.ts'
import { answerOp, opOf } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const QUESTIONS = 80
const DAY_MS = 86_400_000
/** Days of a question's answers. */
const DAYS = [0, 1, 3, 7, 15, 30, 50]

let server: TestServer
let begin: number
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'F', chapters: 1, perChapter: QUESTIONS }))
  begin = server.clock.now
})
afterAll(() => server.close())

type Student = Awaited<ReturnType<TestServer['student']>>
/** Sends ops as a device does, and asks until nothing more is told. */
async function sync(
  { uid, token }: Student,
  ops: OpRecord[],
  cursor = 0,
): Promise<{ changes: Change[]; cursor: number }> {
  const changes: Change[] = []
  let [waiting, from, more] = [ops, cursor, true]
  while (more) {
    const call = {
      device: randomUUID(),
      owner: uid,
      proto: 1 as const,
      sentAt: server.clock.now,
      cursor: from,
      ops: waiting,
    }
    const page = await server.call(contract.study.sync, call, token)
    changes.push(...page.changes)
    ;[waiting, from, more] = [[], page.cursor, page.more]
  }
  return { changes, cursor: from }
}

/** Answers each question on DAYS, knowing it as somebody does whose memories last `firm` times as long. */
async function live(who: Student, firm: number, days = DAYS): Promise<void> {
  const random = seeded(`lives ${firm}`)
  const truths = Array.from({ length: QUESTIONS }, () => remembered(undefined, 0, false))
  for (const [i, day] of days.entries()) {
    server.clock.now = begin + day * DAY_MS
    const since = day - (days[i - 1] ?? day)
    const ops = truths.map((memory, q) => {
      const right = i > 0 && random() < recallAfter(since, { ...memory, stability: memory.stability * firm })
      truths[q] = i > 0 ? remembered(memory, since, right) : memory
      return answerOp(`F_q${q + 1}`, right, { seq: i * QUESTIONS + q + 1, at: server.clock.now + q })
    })
    await sync(who, ops)
  }
}
const fitOf = (changes: readonly Change[]) =>
  changes.flatMap((each) => (each.kind === 'setting' && each.id === MEMORY_FIT ? [fitIn(each.body.value)] : []))
const statesOf = (changes: readonly Change[]): StudyState[] =>
  changes.flatMap((each) => (each.kind === 'state' ? [each.state] : []))
async function fitAll(): Promise<void> {
  while (await fitNext(server.db, walk(server.clock.now)));
}
const tried = async ({ uid }: Student) =>
  server.db.selectFrom('memory_fit').selectAll().where('uid', '=', uid).executeTakeFirst()

test('a student who forgets faster than most gets parameters of their own: first these, then all memories by them', async () => {
  const who = await server.student()
  await live(who, 0.25)
  const before = await sync(who, [])
  await fitAll()
  const { changes } = await sync(who, [], before.cursor)
  const [first] = changes
  expect(first).toMatchObject({ kind: 'setting', id: MEMORY_FIT })
  const [fit] = fitOf(changes)
  expect(fit).toMatchObject({ reviews: QUESTIONS * (DAYS.length - 1), at: server.clock.now })
  expect(await tried(who)).toMatchObject({ kept: true, reviews: fit?.reviews })

  const states = new Map(statesOf(changes).map((state) => [state.questionNo, state]))
  expect(states.size).toBe(QUESTIONS)
  const model = modelOf(fit?.weights ?? [])
  for (const old of statesOf(before.changes)) {
    const now = states.get(old.questionNo)
    expect({ ...now, memory: null }).toEqual({ ...old, memory: null })
    expect(now?.memory).not.toEqual(old.memory)
  }

  // Answers from now on are folded by them.
  const [no, known] = [...states][0] ?? []
  server.clock.now += DAY_MS
  const next = await sync(who, [answerOp(String(no), true, { seq: 9_001, at: server.clock.now })])
  const state = statesOf(next.changes).find(({ questionNo }) => questionNo === no)
  const days = dayOf(server.clock.now) - dayOf(known?.lastAt ?? 0)
  expect(state?.memory).toEqual(remembered(known?.memory, days, true, model))

  // A retraction has all of the question folded again: by them, too.
  const target = await sql<{ op_id: string }>`
    select op_id from study_op where uid = ${who.uid} and question_no = ${no} order by effective_at desc limit 1`.execute(
    server.db,
  )
  const undo = opOf(
    'retract',
    { questionNo: String(no), target: target.rows[0]?.op_id ?? '' },
    { seq: 9_002, at: server.clock.now + 1 },
  )
  const undone = statesOf((await sync(who, [undo])).changes).find(({ questionNo }) => questionNo === no)
  expect(undone?.memory).toEqual(known?.memory)
})

test('a student whom most people’s parameters foretell as well keeps them, and nothing of the record moves', async () => {
  const who = await server.student()
  await live(who, 1)
  const { cursor } = await sync(who, [])
  await fitAll()
  expect(await tried(who)).toMatchObject({ kept: false })
  expect((await sync(who, [], cursor)).changes).toEqual([])
})

test('somebody whose memory has become like most people’s gets their parameters back', async () => {
  const who = await server.student()
  await live(who, 1)
  // These were fitted to an earlier time.
  const fit = JSON.stringify({ weights: Array.from({ length: 21 }, () => 1), reviews: 400, at: 0 })
  await sql`insert into study_record (uid, kind, id, rev, last_at, last_op, body)
    values (${who.uid}, 'setting', ${MEMORY_FIT}, 1, 0, '', ${JSON.stringify({ at: 0, opId: '', value: fit })}::json)`.execute(
    server.db,
  )
  const { cursor } = await sync(who, [])
  await fitAll()
  const { changes } = await sync(who, [], cursor)
  expect(fitOf(changes)).toEqual([null])
  for (const { memory } of statesOf(changes)) expect(memory?.stability).toBeGreaterThan(0)
  expect(statesOf(changes)).toHaveLength(QUESTIONS)
})

test('fewer than 400 reviews are left alone until there may be as many', async () => {
  const who = await server.student()
  await live(who, 0.25, DAYS.slice(0, 3))
  const rev = async () =>
    (await server.db.selectFrom('student').select('study_rev').where('uid', '=', who.uid).executeTakeFirstOrThrow())
      .study_rev
  await sql`update student set study_rev = study_rev + 1000 where uid = ${who.uid}`.execute(server.db)
  const before = await rev()
  await fitAll()
  expect(await tried(who)).toMatchObject({
    reviews: 0,
    kept: false,
    next_rev: before + 400 - 2 * QUESTIONS,
  })
  expect(await rev()).toBe(before)
  expect(await fitNext(server.db, walk(server.clock.now))).toBe(false)
})

test('whoever does much else than reviewing is not fitted again until there are half as many reviews more', async () => {
  const who = await server.student()
  await live(who, 0.25)
  await fitAll()
  await sql`update student set study_rev = study_rev + 5000 where uid = ${who.uid}`.execute(server.db)
  const { cursor } = await sync(who, [])
  server.clock.now += DAY_MS
  await fitAll()
  expect((await sync(who, [], cursor)).changes).toEqual([])
  expect(await tried(who)).toMatchObject({ kept: true, reviews: QUESTIONS * (DAYS.length - 1) })
})

test('whoever takes so much back that it says nothing any more gets most people’s parameters', async () => {
  const who = await server.student()
  await live(who, 0.25)
  await fitAll()
  const { cursor } = await sync(who, [])
  await sql`update study_op set verdict = 'rejected' where uid = ${who.uid}
    and effective_at > ${begin + 10 * DAY_MS}`.execute(server.db)
  await sql`update student set study_rev = study_rev + 5000 where uid = ${who.uid}`.execute(server.db)
  await fitAll()
  const { changes } = await sync(who, [], cursor)
  expect(fitOf(changes)).toEqual([null])
  expect(await tried(who)).toMatchObject({ kept: false })
})

test('nobody is fitted to questions that were answered more often than the optimiser takes', async () => {
  const histories = new Map([
    [
      'q',
      Array.from({ length: 1_000 }, (_, i) => ({ days: i === 0 ? 0 : 1, right: i % 3 > 0, at: begin + i * DAY_MS })),
    ],
  ])
  expect(await fitTo(histories)).toMatchObject({ weights: null })
})

test('no op sets parameters', async () => {
  const who = await server.student()
  const op = { ...opOf('setting', { name: 'dayGoal', value: 30 }, { seq: 1, at: server.clock.now }) }
  const call = {
    device: randomUUID(),
    owner: who.uid,
    proto: 1 as const,
    sentAt: server.clock.now,
    cursor: 0,
    ops: [{ ...op, payload: { name: MEMORY_FIT, value: fitText({ weights: Array(21).fill(1), reviews: 1, at: 0 }) } }],
  }
  const { verdicts, changes } = await server.call(contract.study.sync, call, who.token)
  expect(verdicts).toMatchObject([{ verdict: 'rejected', code: 'invalid' }])
  expect(fitOf(changes)).toEqual([])
})

test('one student’s fault holds nobody else up, and is tried again later', async () => {
  const [poor, other] = [await server.student(), await server.student()]
  await live(poor, 0.25)
  await sql`update student set study_rev = 500 where uid = ${other.uid}`.execute(server.db)
  // A row that no code of ours writes.
  await sql`update study_record set body = '[]' where uid = ${poor.uid} and id = 'F_q1'`.execute(server.db)
  const { study_rev: rev } = await server.db
    .selectFrom('student')
    .select('study_rev')
    .where('uid', '=', poor.uid)
    .executeTakeFirstOrThrow()
  const failed: string[] = []
  const told = walk(server.clock.now, { failed: (_error, uid) => failed.push(uid) })
  while (await fitNext(server.db, told));
  expect(failed).toEqual([poor.uid])
  expect(await tried(poor)).toMatchObject({ next_rev: rev + 400, reviews: 0 })
  expect(await tried(other)).toMatchObject({ next_rev: 900, reviews: 0 })
})

test('nothing is begun by a server that is to end', async () => {
  const who = await server.student()
  await sql`update student set study_rev = 500 where uid = ${who.uid}`.execute(server.db)
  const stop = AbortSignal.abort()
  expect(await fitNext(server.db, walk(server.clock.now, { stop }))).toBe(false)
  expect(await tried(who)).toBeUndefined()
})
