import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { contract } from '#src/contract/index.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { opsOfSitting, sendOps, sitExam } from '#tests/support/sitExam.ts'

const { apply, key, paper, rank, report, sealed, open } = contract.exam
const MINUTE = 60_000
/** 10:00 to 11:00 in Beijing, one hour of an exam; ranked is what arrives by 13:00. */
const START = Date.UTC(2026, 10, 21, 2)
const END = START + 60 * MINUTE
const CLOSES = END + 120 * MINUTE

let server: TestServer
let no = ''
let count = 0
let rev = ''
beforeAll(async () => {
  server = await startServer()
  const bank = bankJson({ prefix: 'F', chapters: 1, perChapter: 4 })
  await importBank(server.db, server.mediaDir, { ...bank, library: { ...bank.library, setsOnly: true } })
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.now = START
  no = `F${++count}`
  const times = { startsAt: '2026-11-21 10:00', endsAt: '2026-11-21 11:00', rankClosesAt: '2026-11-21 13:00' }
  await publishExam(server.db, { ...examJson({ no, paper: [['F_q1', 'F_q2', 'F_q3', 'F_q4']] }), ...times })
})

type Student = Awaited<ReturnType<TestServer['student']>>
const entrant = async (): Promise<Student> => {
  const student = await server.student()
  await server.call(apply, { no }, student.token)
  return student
}
const openPaper = async ({ token }: Student) => void (rev = (await server.call(paper, { no }, token)).rev)
const ALL = { F_q1: 'B', F_q2: 'B', F_q3: 'B', F_q4: 'B' }
const HALF = { ...ALL, F_q3: 'A', F_q4: 'A' }
const sit = (student: Student, answers: Record<string, string>, more: object = {}) =>
  sitExam(server, student, { no, rev, answers, begunAt: START, tookMs: 50 * MINUTE, ...more })
/** As it stands when the ranking is told. */
const reportOf = ({ token }: Student, attemptId: string) => {
  server.clock.now = Math.max(server.clock.now, CLOSES)
  return server.call(report, { attemptId }, token)
}

describe('until a ranking is closed', () => {
  /** What a device says of a question, and the verdict. */
  const say = async (student: Student, kind: 'answer' | 'collect', payload: object, opId = uuidv7()) => {
    const scope = { stream: 'question:F_q1', ctx: { sg_key: 'jg', area: '0', key: 'jg' } }
    const v = kind === 'answer' ? 2 : 1
    const op = { opId, seq: 1, kind, v, payload: { questionNo: 'F_q1', ...payload }, clientAt: END, ...scope }
    const sent = { device: uuidv7(), owner: student.uid, proto: 1 as const, cursor: 0, ops: [op] }
    const said = await server.call(contract.study.sync, { ...sent, sentAt: server.clock.now }, student.token)
    return said.verdicts[0]?.verdict
  }

  test('nobody is told a key, a mark or an answer, by whichever call', async () => {
    const student = await entrant()
    await openPaper(student)
    const attemptId = await sit(student, ALL)
    await say(student, 'collect', { folder: '', over: [] })
    const asks = async () => [
      (await server.ask(key, { attemptId }, student.token)).status,
      (await server.ask(report, { attemptId }, student.token)).status,
      (await server.ask(rank, { no }, student.token)).status,
      (await server.call(contract.question.some, { nos: ['F_q1'] }, student.token)).length,
    ]
    for (const now of [END, CLOSES - 1]) {
      server.clock.now = now
      expect(await asks()).toEqual([0, 0, 0, 0])
    }
    server.clock.now = CLOSES
    expect(await asks()).toEqual([1, 1, 1, 1])
  })

  test('an answer to one of its questions by another way waits, since its mark would tell', async () => {
    const student = await entrant()
    await openPaper(student)
    await sit(student, ALL)
    const opId = uuidv7()
    const answer = { response: { kind: 'choice', ids: ['B'] }, spentMs: 1, from: 'library', version: 1 }
    const verdictAt = (now: number) => {
      server.clock.now = now
      return say(student, 'answer', answer, opId)
    }
    expect(await verdictAt(END + 1)).toBe('retry')
    expect(await verdictAt(CLOSES - 1)).toBe('retry')
    expect(await verdictAt(CLOSES)).toBe('applied')
  })
})

describe('a sitting that arrives after the end', () => {
  test('of who first opened the paper then is not ranked, whatever its clock says', async () => {
    const forger = await entrant()
    server.clock.now = END + 30 * MINUTE
    await openPaper(forger)
    const attemptId = await sit(forger, ALL)
    expect(await reportOf(forger, attemptId)).toMatchObject({ rank: null, unranked: 'after', ranked: 0 })
    expect((await server.call(rank, { no })).top).toEqual([])
  })

  test('of who never opened it, but had it from another, is not ranked', async () => {
    const honest = await entrant()
    await openPaper(honest)
    const forger = await entrant()
    server.clock.now = END + 30 * MINUTE
    expect(await reportOf(forger, await sit(forger, ALL))).toMatchObject({ unranked: 'after' })
  })

  test('of who opened it in time and lost the network is ranked, with the word beside the name', async () => {
    const student = await entrant()
    await server.call(sealed, { no }, student.token)
    const detail = await server.call(contract.exam.detail, { no }, student.token)
    rev = detail.rev
    await server.call(open, { no, rev }, student.token)
    const other = await entrant()
    await openPaper(other)
    await sit(other, HALF)
    server.clock.now = END + 30 * MINUTE
    expect(await reportOf(student, await sit(student, ALL))).toMatchObject({ rank: 1, unranked: null })
    await reportOf(other, (await server.call(rank, { no }, other.token)).mine?.attemptId ?? '')
    expect((await server.call(rank, { no })).top.map(({ score, late }) => [score, late])).toEqual([
      [200, true],
      [100, false],
    ])
  })

  test('may not pretend to have begun before the server gave it the paper', async () => {
    const student = await entrant()
    server.clock.now = START + 40 * MINUTE
    await openPaper(student)
    expect(await reportOf(student, await sit(student, ALL))).toMatchObject({ unranked: 'clock' })
  })
})

describe('a choice', () => {
  const late = async (chosenAt: number) => {
    const student = await entrant()
    await openPaper(student)
    const attemptId = uuidv7()
    // All of it was done at the end by the clock of the sitting; two choices were recorded when `chosenAt` says.
    const ops = opsOfSitting({ no, rev, attemptId, answers: ALL, begunAt: START, tookMs: 60 * MINUTE })
    const [begin, one, two, three, four, handIn] = ops.map((op, at) => ({ ...op, seq: at + 1 }))
    if (!begin || !one || !two || !three || !four || !handIn) throw new Error('a sitting has six ops')
    server.clock.now = END
    await sendOps(server, student, [begin, one, two])
    server.clock.now = END + 30 * MINUTE
    await sendOps(server, student, [
      { ...three, clientAt: chosenAt },
      { ...four, clientAt: chosenAt },
      { ...handIn, clientAt: Math.max(chosenAt, END) },
    ])
    return { student, attemptId }
  }

  test('that was recorded in time on the device counts for the place, though it arrives later', async () => {
    const { student, attemptId } = await late(END)
    expect(await reportOf(student, attemptId)).toMatchObject({ rank: 1, best: 200 })
  })

  test('of which only its own clock says that it was in time counts for the mark alone, and is told', async () => {
    const { student, attemptId } = await late(END + 20 * MINUTE)
    expect(await reportOf(student, attemptId)).toMatchObject({ rank: 1, best: 100, rankedScore: 100 })
    const told = await server.call(key, { attemptId }, student.token)
    expect(told.earned.score).toBe(200)
    expect((await server.call(rank, { no }, student.token)).mine).toMatchObject({ score: 100 })
  })
})
