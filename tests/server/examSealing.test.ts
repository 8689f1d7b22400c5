import { hash as digest } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { OpRecord, Verdict } from '#src/contract/study.ts'
import { sealText } from '#src/domain/paper/exam.ts'
import { rankSome } from '#server/exam/ranking.ts'
import { sealEndedExams } from '#server/study/sealEnded.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { opsOf } from '#tests/support/sitExam.ts'

const { apply, key, paper, rank, report } = contract.exam
const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** 2026-12-01 09:00 to 12:00 in Beijing; 60 minutes. */
const START = Date.parse('2026-12-01T01:00:00Z')
const END = START + 3 * HOUR
/** When the ranking closes, and results come out. */
const CLOSES = END + 8 * HOUR
const NOS = ['L_q1', 'L_q2', 'L_q3', 'L_q4']

let server: TestServer
let no = ''
let rev = ''
let count = 0
beforeAll(async () => {
  server = await startServer()
  const bank = bankJson({ prefix: 'L', chapters: 1, perChapter: 4 })
  await importBank(server.db, server.mediaDir, {
    ...bank,
    library: { ...bank.library, setsOnly: true },
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.now = START
  await publish()
})
async function publish(more: object = {}): Promise<void> {
  no = `L${++count}`
  await publishExam(server.db, {
    ...examJson({ no, paper: [NOS.slice(0, 2), NOS.slice(2)] }),
    startsAt: '2026-12-01 09:00',
    endsAt: '2026-12-01 12:00',
    rankClosesAt: '2026-12-01 20:00',
    ...more,
  })
}

type Student = Awaited<ReturnType<TestServer['student']>>
async function newcomer(): Promise<Student> {
  const student = await server.student()
  await server.call(apply, { no }, student.token)
  rev = (await server.call(paper, { no }, student.token)).rev
  return student
}
/** Time of the server's clock, and all background work that is due by then. */
async function pass(now: number): Promise<void> {
  server.clock.now = now
  const failed = (error: unknown) => {
    throw error
  }
  await sealEndedExams(server.db, { now, stop: new AbortController().signal, failed })
  while (await rankSome(server.db, now));
}

/** One student's phone, in one sitting. */
function phone({ uid, token }: Student, mode: 'exam' | 'practice' = 'exam') {
  const attemptId = uuidv7()
  const device = uuidv7()
  const op = opsOf(attemptId)
  const ref = { exam: no, rev, mode }
  const made: { questionNo: string; letters: string; opId: string }[] = []
  const send = async (ops: OpRecord[]): Promise<Verdict['verdict'][]> => {
    const sent = { device, owner: uid, proto: 1 as const, sentAt: server.clock.now, cursor: 0, ops }
    const { verdicts } = await server.call(contract.study.sync, sent, token)
    return verdicts.map(({ verdict }) => verdict)
  }
  const choose = (questionNo: string, letters: string, elapsedMs: number) => {
    const response = { kind: 'choice', ids: letters.split('') }
    const choice = op('examChoice', { questionNo, response, spentMs: 1_000, elapsedMs }, START + elapsedMs)
    made.push({ questionNo, letters, opId: choice.opId })
    return choice
  }
  /** What stands, as the device hands it in. */
  const handIn = (elapsedMs: number, at = START + elapsedMs) => {
    const last = [...new Map(made.map((each) => [each.questionNo, each])).values()]
    const given = last.map(({ questionNo, letters }) => {
      return { questionNo, response: { kind: 'choice' as const, ids: letters.split('') } }
    })
    const hash = digest('sha256', sealText(attemptId, given))
    return op('examHandIn', { ...ref, choices: last.map(({ opId }) => opId), hash, elapsedMs, spentMs: 1_000 }, at)
  }
  return { attemptId, op, begin: () => op('examBegin', ref, START), choose, handIn, send }
}
const recordOf = async ({ uid }: Student, id: string) => {
  const row = server.db.selectFrom('study_record').select(['body', 'rev']).where('uid', '=', uid).where('id', '=', id)
  return (await row.executeTakeFirst()) ?? null
}
const keyOf = ({ token }: Student, attemptId: string) => server.ask(key, { attemptId }, token)
const reportOf = ({ token }: Student, attemptId: string) => server.call(report, { attemptId }, token)
/** How many are counted, by score. */
const tally = async () => {
  const all = server.db.selectFrom('exam_tally').selectAll().where('exam_no', '=', no).where('part', '=', 0)
  return (await all.execute()).map(({ score, n }) => [score, n])
}

describe('a sitting that is open when its exam ends', () => {
  test('is handed in from what has arrived, with the time that it ran out, once', async () => {
    const student = await newcomer()
    const mine = phone(student)
    server.clock.now = START + 30 * MINUTE
    await mine.send([
      mine.begin(),
      mine.choose('L_q1', 'A', MINUTE),
      mine.choose('L_q1', 'B', 2 * MINUTE),
      mine.choose('L_q2', 'B', 3 * MINUTE),
      mine.choose('L_q2', 'A', 61 * MINUTE),
    ])
    await pass(END + MINUTE)
    expect((await recordOf(student, mine.attemptId))?.body, 'phones come first').toMatchObject({ handedAt: null })
    await pass(END + 2 * MINUTE)
    const sealed = await recordOf(student, mine.attemptId)
    expect(sealed?.body).toMatchObject({
      by: 'server',
      startedAt: START,
      handedAt: START + HOUR,
      elapsedMs: HOUR,
      answered: 2,
      flags: [],
    })
    await Promise.all([pass(END + 3 * MINUTE), pass(END + 3 * MINUTE)])
    expect(await recordOf(student, mine.attemptId)).toEqual(sealed)
    const sent = { device: uuidv7(), owner: student.uid, proto: 1 as const, sentAt: END, cursor: 0, ops: [] }
    const { changes } = await server.call(contract.study.sync, sent, student.token)
    expect(changes, 'every device hears of it').toMatchObject([{ kind: 'exam', id: mine.attemptId }])
    await pass(CLOSES)
    expect(await keyOf(student, mine.attemptId)).toMatchObject({ data: { earned: { score: 100, right: 2 } } })
    expect(await reportOf(student, mine.attemptId)).toMatchObject({ ranked: 1, rank: 1, unranked: null, best: 100 })
  })

  test('of a 练习, or of an exam without a window, is not taken for what it is not', async () => {
    const student = await newcomer()
    const mine = phone(student, 'practice')
    await mine.send([mine.begin(), mine.choose('L_q1', 'B', 5 * MINUTE)])
    const window = no
    await publish({ startsAt: undefined, endsAt: undefined })
    const other = phone(await newcomer())
    await other.send([other.begin()])
    await pass(END + HOUR)
    expect((await recordOf(student, mine.attemptId))?.body).toMatchObject({
      exam: window,
      handedAt: END,
      elapsedMs: 5 * MINUTE,
    })
    const open = await server.db.selectFrom('study_record').select('body').where('id', '=', other.attemptId).execute()
    expect(open).toMatchObject([{ body: { handedAt: null } }])
  })
})

describe('what its device hands in later', () => {
  test('takes its place with all that was answered without a network, is ranked with that, and counts once', async () => {
    const student = await newcomer()
    const mine = phone(student)
    await mine.send([mine.begin(), mine.choose('L_q1', 'B', MINUTE)])
    await pass(END + 10 * MINUTE)
    expect(await tally(), 'its device may bring more').toEqual([])
    server.clock.now = END + HOUR
    const rest = [mine.choose('L_q2', 'B', 40 * MINUTE), mine.choose('L_q3', 'B', 50 * MINUTE), mine.handIn(HOUR)]
    expect(await mine.send(rest)).toEqual(['applied', 'applied', 'applied'])
    expect(await mine.send(rest), 'sent again').toEqual(['duplicate', 'duplicate', 'duplicate'])
    await pass(END + 2 * HOUR)
    const { body } = (await recordOf(student, mine.attemptId)) ?? {}
    expect(body).toMatchObject({ answered: 3, elapsedMs: HOUR, flags: ['late'] })
    expect(body).not.toHaveProperty('by')
    await pass(CLOSES)
    expect(await keyOf(student, mine.attemptId)).toMatchObject({ data: { earned: { score: 150 } } })
    expect(await reportOf(student, mine.attemptId)).toMatchObject({ ranked: 1, rank: 1, unranked: null, best: 150 })
    expect(await tally()).toEqual([[150, 1]])
    expect(await mine.send([mine.handIn(HOUR)]), 'it is handed in').toEqual(['rejected'])
  })

  test('after results are out counts in the report, and moves no place in the ranking', async () => {
    const [student, rival] = [await newcomer(), await newcomer()]
    const [mine, his] = [phone(student), phone(rival)]
    await mine.send([mine.begin(), mine.choose('L_q1', 'B', MINUTE)])
    await his.send([his.begin(), his.choose('L_q1', 'B', MINUTE), his.choose('L_q2', 'B', MINUTE)])
    await pass(END + 10 * MINUTE)
    await pass(CLOSES)
    expect(await keyOf(student, mine.attemptId)).toMatchObject({ data: { earned: { score: 50 } } })
    await mine.send([...NOS.map((question) => mine.choose(question, 'B', 50 * MINUTE)), mine.handIn(HOUR)])
    await pass(CLOSES + HOUR)
    expect(await keyOf(student, mine.attemptId)).toMatchObject({ data: { earned: { score: 200 } } })
    expect(await reportOf(student, mine.attemptId)).toMatchObject({ ranked: 2, rank: 2, rankedScore: 50, best: 100 })
    expect((await tally()).sort(([a = 0], [b = 0]) => b - a)).toEqual([
      [100, 1],
      [50, 1],
    ])
  })

  test('after the ranking has closed finds counted there what had arrived by then', async () => {
    const student = await newcomer()
    const mine = phone(student)
    await mine.send([mine.begin(), mine.choose('L_q1', 'B', MINUTE)])
    server.clock.now = END + 10 * MINUTE
    await sealEndedExams(server.db, {
      now: server.clock.now,
      stop: new AbortController().signal,
      failed: () => expect.unreachable(),
    })
    // Nothing has counted since it closed: the hand-in comes first.
    server.clock.now = CLOSES + HOUR
    await mine.send([mine.choose('L_q2', 'B', 50 * MINUTE), mine.handIn(HOUR)])
    await pass(CLOSES + 2 * HOUR)
    expect(await tally()).toEqual([[50, 1]])
    expect(await keyOf(student, mine.attemptId)).toMatchObject({ data: { earned: { score: 100 } } })
    expect(await reportOf(student, mine.attemptId)).toMatchObject({ rank: 1, rankedScore: 50, unranked: null })
  })

  test('is still the first where another sitting of the student was handed in by the server beside it', async () => {
    const student = await newcomer()
    const [first, second] = [phone(student), phone(student)]
    await first.send([first.begin(), first.choose('L_q1', 'B', MINUTE)])
    await second.send([second.begin()])
    // One of a student's a turn.
    for (const turn of [10, 11]) await pass(END + turn * MINUTE)
    expect((await recordOf(student, second.attemptId))?.body).toMatchObject({ by: 'server' })
    server.clock.now = END + 20 * MINUTE
    await first.send([first.choose('L_q2', 'B', 50 * MINUTE), first.handIn(HOUR)])
    await pass(CLOSES)
    expect(await reportOf(student, first.attemptId)).toMatchObject({ rank: 1, unranked: null, best: 100 })
    expect(await reportOf(student, second.attemptId)).toMatchObject({ rank: null, unranked: 'again' })
    expect(await server.call(rank, { no }, student.token)).toMatchObject({ ranked: 1 })
  })
})

test('what the server has handed in tells no key before results are out', async () => {
  const student = await newcomer()
  const mine = phone(student)
  await mine.send([mine.begin()])
  await pass(END + 10 * MINUTE)
  const answer = () =>
    mine.op(
      'answer',
      { questionNo: 'L_q1', response: { kind: 'choice', ids: ['B'] }, spentMs: 1, from: 'set', version: 1 },
      server.clock.now,
    )
  const asked = async () => {
    const { attemptId: _, ...payload } = answer().payload as Record<string, unknown>
    return mine.send([{ ...answer(), v: 2, stream: 'q:L_q1', payload }])
  }
  expect(await asked()).toEqual(['retry'])
  await pass(CLOSES)
  expect(await asked()).toEqual(['applied'])
  expect(await tally()).toEqual([[0, 1]])
})

test('a batch of the student that comes at the same moment loses nothing, and the sitting is handed in at the next turn', async () => {
  const student = await newcomer()
  const mine = phone(student)
  await mine.send([mine.begin(), mine.choose('L_q1', 'B', MINUTE)])
  server.clock.now = END + 10 * MINUTE
  await Promise.all([
    pass(END + 10 * MINUTE),
    mine.send([mine.choose('L_q2', 'B', 2 * MINUTE)]),
    pass(END + 10 * MINUTE),
  ])
  await pass(END + 11 * MINUTE)
  const { body } = (await recordOf(student, mine.attemptId)) ?? {}
  expect(body).toMatchObject({ by: 'server' })
  const ops = await server.db
    .selectFrom('study_op')
    .select('kind')
    .where('uid', '=', student.uid)
    .where('kind', 'in', ['examHandIn', 'examChoice'])
    .execute()
  expect(ops.map(({ kind }) => kind).sort((a, b) => a.localeCompare(b))).toEqual([
    'examChoice',
    'examChoice',
    'examHandIn',
  ])
})
