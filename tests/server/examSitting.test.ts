import { createDecipheriv } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { sealOf } from '#src/domain/paper/exam.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { opsOf } from '#tests/support/sitExam.ts'

const { apply, detail, key, paper } = contract.exam
const HOUR = 3_600_000
const MINUTE = 60_000
const START = Date.parse('2026-12-01T01:00:00Z')
/** When results come out: a file that says no more closes its ranking ten minutes after the end. */
const OUT = START + 3 * HOUR + 600_000
const bank = () => ({
  ...bankJson({ prefix: 'P', chapters: 1, perChapter: 0 }),
  questions: [
    {
      no: 'P_q1',
      type: 'single',
      stem: '一',
      options: ['甲', '乙', '丙'],
      answer: 'B',
      analysis: '秘密甲',
      reasons: { A: '秘密理由' },
    },
    { no: 'P_q2', type: 'multiple', stem: '二', options: ['甲', '乙', '丙'], answer: 'AB', analysis: '秘密乙' },
    { no: 'P_q3', type: 'blank', stem: '填 ___', blanks: [['秘密填']], analysis: '秘密丙' },
    { no: 'P_q4', type: 'essay', stem: '论述', answer: '秘密参考', scoring: [{ text: '秘密要点', score: 1 }] },
    {
      no: 'P_m',
      type: 'composite',
      stem: '材料',
      parts: [
        { type: 'single', stem: '小一', options: ['甲', '乙'], answer: 'A', analysis: '秘密丁' },
        { type: 'judge', stem: '小二', answer: '对', analysis: '秘密戊', reasons: { B: '秘密理由' } },
      ],
    },
  ].map((question) => ({ ...question, chapter: 'P_c1' })),
})

/** A library whose questions come in exams alone. */
const secretBank = (parts = ['小一', '小二']) => {
  const own = bankJson({ prefix: 'S', chapters: 1, perChapter: 1 })
  const part = (stem: string) => ({ type: 'single', stem, options: ['甲', '乙'], answer: 'A', analysis: '略' })
  return {
    ...own,
    library: { ...own.library, setsOnly: true },
    questions: [
      ...own.questions,
      { no: 'S_m', chapter: 'S_c1', type: 'composite', stem: '材料', parts: parts.map(part) },
    ],
  }
}

let server: TestServer
let student: Awaited<ReturnType<TestServer['student']>>
let make: ReturnType<typeof opsOf>
let device = ''
let attemptId = ''
let rev = ''
const began = Date.UTC(2026, 10, 21, 4)

beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bank())
  await publishExam(
    server.db,
    examJson({
      no: 'OPEN',
      paper: [
        ['P_q1', 'P_q2'],
        ['P_q3', 'P_q4', 'P_m'],
      ],
    }),
  )
  await publishExam(server.db, {
    ...examJson({ no: 'SCHED', paper: [['P_q1']] }),
    startsAt: '2026-12-01 09:00',
    endsAt: '2026-12-01 12:00',
  })
  await importBank(server.db, server.mediaDir, secretBank())
  await publishExam(server.db, {
    ...examJson({ no: 'SECRET', paper: [['S_q1', 'S_m']] }),
    startsAt: '2026-12-01 09:00',
    endsAt: '2026-12-01 12:00',
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.now = began
  student = await server.student()
  device = uuidv7()
  attemptId = uuidv7()
  make = opsOf(attemptId)
  await server.call(apply, { no: 'OPEN' }, student.token)
  rev = (await server.call(paper, { no: 'OPEN' }, student.token)).rev
})

const op = (...said: Parameters<ReturnType<typeof opsOf>>) => make(...said)
type Op = ReturnType<typeof op>
const sync = (ops: Op[], sentAt: number) =>
  server.call(contract.study.sync, { device, owner: student.uid, proto: 1, sentAt, cursor: 0, ops }, student.token)
const ref = (no = 'OPEN', mode = 'exam') => ({ exam: no, rev, mode })
const begin = (at: number, no?: string, mode?: string) => op('examBegin', ref(no, mode), at)
const choose = (questionNo: string, ids: string, at: number, elapsedMs = at - began) =>
  op('examChoice', { questionNo, response: { kind: 'choice', ids: ids.split('') }, spentMs: 5_000, elapsedMs }, at)
const handIn = (
  choices: Op[],
  at: number,
  { no, mode, elapsedMs = at - began }: { no?: string; mode?: string; elapsedMs?: number } = {},
) =>
  op(
    'examHandIn',
    { ...ref(no, mode), choices: choices.map(({ opId }) => opId), hash: 'a'.repeat(64), elapsedMs, spentMs: 10_000 },
    at,
  )
const attemptIn = async () => {
  const { changes } = await sync([], server.clock.now)
  return changes.find((each) => each.kind === 'exam')?.body
}
const keyOf = () => server.ask(key, { attemptId }, student.token)

describe('a paper before the hand-in', () => {
  test('tells nothing of any answer, whatever call is read', async () => {
    const asked = JSON.stringify(await server.ask(paper, { no: 'OPEN' }, student.token))
    expect(asked).toContain('论述')
    const choices = [choose('P_q1', 'A', began + MINUTE)]
    const synced = await sync([begin(began), ...choices], began + MINUTE)
    const about = await server.call(detail, { no: 'OPEN' }, student.token)
    for (const told of [asked, JSON.stringify(synced), JSON.stringify(about)]) {
      expect(told).not.toMatch(/秘密|"right"|"marks"|"score":\d/)
      expect(told).not.toMatch(/"key":\[[^\]]/)
      expect(told).not.toMatch(/"blanks":\[\[[^\]]/)
    }
  })

  test('is for who has applied, from the start on', async () => {
    const other = await server.student()
    expect(await server.ask(paper, { no: 'OPEN' }, other.token)).toMatchObject({
      status: 0,
      msg: '还没有报名这场考试，请先报名',
    })
    expect((await server.ask(paper, { no: 'NONE' }, student.token)).msg).toBe('考试不存在或已下架，请返回看看其他考试')
    await server.call(apply, { no: 'SCHED' }, student.token)
    const coming = { status: 0, msg: '还没有开考，到时间再进入' }
    expect(await server.ask(paper, { no: 'SCHED' }, student.token)).toMatchObject(coming)
    server.clock.now = START
    expect(await server.ask(paper, { no: 'SCHED' }, student.token)).toMatchObject({ status: 1 })
    expect(await server.ask(paper, { no: 'OPEN' })).toMatchObject({ status: 2 })
  })
})

describe('a mark', () => {
  const answer = (at: number, questionNo = 'S_q1') => {
    const payload = {
      questionNo,
      response: { kind: 'choice', ids: ['B'] },
      spentMs: 1,
      from: 'library',
      version: 1,
    }
    return { ...op('answer', {}, at), v: 2, payload: { ...payload, attemptId } }
  }

  test('of a question of an exam is told by no answer before its key is released', async () => {
    server.clock.now = START
    student = await server.student(student.mobile)
    await server.call(apply, { no: 'SECRET' }, student.token)
    rev = (await server.call(paper, { no: 'SECRET' }, student.token)).rev
    const beginning = begin(START, 'SECRET')
    const guess = answer(START)
    const said = await sync([beginning, guess], START)
    expect(said.verdicts).toMatchObject([{ verdict: 'applied' }, { verdict: 'retry' }])
    expect(JSON.stringify(said)).not.toMatch(/lastRight|S_q1/)
    await sync([handIn([], START, { no: 'SECRET', elapsedMs: 0 })], START)
    expect((await sync([guess], START)).verdicts).toMatchObject([{ verdict: 'retry' }])
    server.clock.now = OUT
    expect((await sync([guess], OUT)).verdicts).toMatchObject([{ verdict: 'applied' }])
  })

  test('of a sub-question that came into its material after the exam was published is told by none, either', async () => {
    await importBank(server.db, server.mediaDir, secretBank(['小一', '小二', '小三']))
    server.clock.now = START
    student = await server.student(student.mobile)
    const { rows } = await sql<{ no: string }>`select no from answerable where question_no = 'S_m' order by no`.execute(
      server.db,
    )
    expect(rows).toHaveLength(3)
    for (const { no } of rows)
      expect((await sync([answer(START, no)], START)).verdicts).toMatchObject([{ verdict: 'retry' }])
  })
})

describe('a sealed paper', () => {
  const sealed = () => server.call(contract.exam.sealed, { no: 'SCHED' }, student.token)
  const opened = ({ no, rev: of }: { no: string; rev: string }) =>
    server.ask(contract.exam.open, { no, rev: of }, student.token)

  test('is for who has applied, tells nothing before its key, and the key comes at the start', async () => {
    expect(await server.ask(contract.exam.sealed, { no: 'SCHED' }, student.token)).toMatchObject({
      status: 0,
      msg: '还没有报名这场考试，请先报名',
    })
    await server.call(apply, { no: 'SCHED' }, student.token)
    const box = await sealed()
    const bytes = Buffer.from(box.box, 'base64')
    expect(JSON.stringify(box) + bytes.toString('utf8')).not.toMatch(/秘密|stem|甲|question/)
    // The same text is another box each time.
    expect((await sealed()).box).not.toBe(box.box)
    server.clock.now = START - 1
    expect(await opened(box)).toMatchObject({ status: 0, msg: '还没有开考，到时间再进入', data: null })
    server.clock.now = START
    expect(await opened({ ...box, rev: 'old' })).toMatchObject({ status: 0, msg: '试卷已更新，请重新下载' })
    const other = await server.student()
    expect(await server.ask(contract.exam.open, { no: box.no, rev: box.rev }, other.token)).toMatchObject({ status: 0 })
    const { key: opening } = await server.call(contract.exam.open, { no: box.no, rev: box.rev }, student.token)
    const cipher = createDecipheriv('aes-256-gcm', Buffer.from(opening, 'base64'), Buffer.from(box.iv, 'base64'))
    cipher.setAAD(Buffer.from(sealOf(box))).setAuthTag(bytes.subarray(-16))
    const text = Buffer.concat([cipher.update(bytes.subarray(0, -16)), cipher.final()]).toString('utf8')
    expect(JSON.parse(text)).toEqual(await server.call(paper, { no: 'SCHED' }, student.token))
  })
})

describe('a sitting', () => {
  test('is marked by what it names, once it is handed in', async () => {
    const at = began + 10 * MINUTE
    const first = choose('P_q1', 'A', began + MINUTE)
    const choices = [choose('P_q1', 'B', began + 2 * MINUTE), choose('P_q2', 'A', at), choose('P_m_1', 'A', at)]
    server.clock.now = at
    await sync([begin(began), first, ...choices], at)
    expect(await keyOf()).toMatchObject({ status: 0, msg: '还没有收到这次考试的交卷，请联网同步后再看' })
    const { verdicts } = await sync([handIn(choices, at)], at)
    expect(verdicts).toMatchObject([{ verdict: 'applied' }])
    expect(await attemptIn()).toMatchObject({
      exam: 'OPEN',
      rev,
      mode: 'exam',
      startedAt: began,
      handedAt: at,
      answered: 3,
      flags: [],
    })
    const said = await server.call(key, { attemptId }, student.token)
    // Half a mark each; the multiple is half right by the paper's rule.
    expect(said.earned).toEqual({ score: 125, full: 300, right: 2, total: 6, marks: [50, 25, null, null, 50, null] })
    expect(said.given.map(({ questionNo, response }) => [questionNo, response])).toEqual([
      ['P_q1', { kind: 'choice', ids: ['B'] }],
      ['P_q2', { kind: 'choice', ids: ['A'] }],
      ['P_m_1', { kind: 'choice', ids: ['A'] }],
    ])
    expect(JSON.stringify(said.sections)).toContain('秘密参考')
    expect(JSON.stringify(said.sections).match(/秘密理由/g)).toHaveLength(2)
  })

  test('handed in twice counts once, and one that comes again is answered as before', async () => {
    const at = began + MINUTE
    server.clock.now = at
    const choice = choose('P_q1', 'B', at)
    const hand = handIn([choice], at)
    await sync([begin(began), choice, hand], at)
    expect((await sync([hand], at)).verdicts).toMatchObject([{ verdict: 'duplicate' }])
    const other = choose('P_q2', 'AB', at)
    expect((await sync([other, handIn([choice, other], at)], at)).verdicts).toMatchObject([
      { verdict: 'applied' },
      { verdict: 'rejected', code: 'finished' },
    ])
    expect((await server.call(key, { attemptId }, student.token)).earned.score).toBe(50)
  })

  test('waits for choices that have not come', async () => {
    const at = began + MINUTE
    server.clock.now = at
    const [beginning, choice] = [begin(began), choose('P_q1', 'B', at)]
    const hand = handIn([choice], at)
    expect((await sync([beginning, hand], at)).verdicts).toMatchObject([{ verdict: 'applied' }, { verdict: 'retry' }])
    expect((await sync([hand, choice], at)).verdicts.every(({ verdict }) => verdict !== 'rejected')).toBe(true)
    await sync([hand], at)
    expect((await server.call(key, { attemptId }, student.token)).earned.score).toBe(50)
  })

  test('that arrives late counts by when it was sealed, and says so', async () => {
    const sealed = began + 30 * MINUTE
    const choice = choose('P_q1', 'B', sealed)
    server.clock.now = began
    await sync([begin(began)], began)
    server.clock.now = began + 5 * HOUR
    await sync([choice, handIn([choice], sealed)], began + 5 * HOUR)
    expect(await attemptIn()).toMatchObject({ handedAt: sealed, flags: ['late'] })
    expect((await server.call(key, { attemptId }, student.token)).earned.score).toBe(50)
  })

  test('what was chosen after its time gives nothing, and clocks that disagree are told', async () => {
    const at = began + 50 * MINUTE
    server.clock.now = at
    const [inTime, late] = [choose('P_q1', 'B', at, 60 * MINUTE + 2_000), choose('P_q2', 'AB', at, 60 * MINUTE + 2_001)]
    await sync([begin(began), inTime, late, handIn([inTime, late], at, { elapsedMs: 62 * MINUTE })], at)
    expect(await attemptIn()).toMatchObject({ flags: ['clock', 'over'] })
    expect((await server.call(key, { attemptId }, student.token)).earned.marks).toEqual([
      50,
      null,
      null,
      null,
      null,
      null,
    ])
  })

  test('in 练习 has no clock to disagree with, and no end', async () => {
    const at = began + 5 * HOUR
    server.clock.now = at
    // The second one came after the time that 真实 would have had.
    const choices = [choose('P_q1', 'B', at, 20 * MINUTE), choose('P_q2', 'AB', at, 90 * MINUTE)]
    const handed = handIn(choices, at, { mode: 'practice', elapsedMs: 90 * MINUTE })
    await sync([begin(began, 'OPEN', 'practice'), ...choices, handed], at)
    expect(await attemptIn()).toMatchObject({ mode: 'practice', flags: [] })
    expect((await server.call(key, { attemptId }, student.token)).earned.score).toBe(100)
  })

  test('stands without its begin, and with the paper as it was', async () => {
    const at = began + 10 * MINUTE
    server.clock.now = at
    const choice = choose('P_q1', 'B', at)
    const old = rev
    await publishExam(server.db, { ...examJson({ no: 'OPEN', paper: [['P_q2']] }), title: '新卷' })
    await sync([choice, handIn([choice], at)], at)
    await publishExam(
      server.db,
      examJson({
        no: 'OPEN',
        paper: [
          ['P_q1', 'P_q2'],
          ['P_q3', 'P_q4', 'P_m'],
        ],
      }),
    )
    expect(await attemptIn()).toMatchObject({ startedAt: began, rev: old })
    expect(await server.call(key, { attemptId }, student.token)).toMatchObject({
      rev: old,
      earned: { score: 50, total: 6 },
    })
  })

  test('that is handed in as another exam, or the other way than it was begun, is refused', async () => {
    const other = { verdict: 'rejected', code: 'other' }
    server.clock.now = began
    await sync([begin(began)], began)
    expect((await sync([begin(began, 'OPEN', 'practice')], began)).verdicts).toMatchObject([other])
    expect((await sync([begin(began, 'SCHED')], began)).verdicts).toMatchObject([other])
    expect((await sync([handIn([], began, { mode: 'practice' })], began)).verdicts).toMatchObject([other])
    expect((await sync([handIn([], began, { no: 'SCHED' })], began)).verdicts).toMatchObject([other])
    expect((await sync([handIn([], began)], began)).verdicts).toMatchObject([{ verdict: 'applied' }])
    const { rows } = await sql`select exam_no from exam_entry where uid = ${student.uid}`.execute(server.db)
    expect(rows).toEqual([{ exam_no: 'OPEN' }])
  })

  test('keeps the time that its paper was published with', async () => {
    const at = began + 50 * MINUTE
    server.clock.now = at
    const choice = choose('P_q1', 'B', at)
    await sync([begin(began), choice], at)
    const { no, ...published } = examJson({
      no: 'OPEN',
      paper: [
        ['P_q1', 'P_q2'],
        ['P_q3', 'P_q4', 'P_m'],
      ],
    })
    await publishExam(server.db, { no, ...published, minutes: 30 })
    await sync([handIn([choice], at)], at)
    await publishExam(server.db, { no, ...published })
    expect(await attemptIn()).toMatchObject({ flags: [] })
    expect((await server.call(key, { attemptId }, student.token)).earned.score).toBe(50)
  })

  test('of another edition of its paper than it was begun with is refused', async () => {
    await sync([begin(began)], began)
    rev = 'another'
    const { verdicts } = await sync([handIn([], began + MINUTE)], began + MINUTE)
    expect(verdicts).toMatchObject([{ verdict: 'rejected', code: 'other' }])
  })

  test('of a paper that never was is refused', async () => {
    rev = 'never'
    const { verdicts } = await sync([handIn([], began)], began)
    expect(verdicts).toMatchObject([{ verdict: 'rejected', code: 'unknown_paper', msg: '试卷不存在或已下架' }])
  })
})

describe('a key', () => {
  test('of an exam with a window comes when that and its ranking are over, to nobody else', async () => {
    await server.call(apply, { no: 'SCHED' }, student.token)
    server.clock.now = START
    rev = (await server.call(paper, { no: 'SCHED' }, student.token)).rev
    const choice = choose('P_q1', 'B', START, 0)
    await sync([begin(START, 'SCHED'), choice, handIn([choice], START, { no: 'SCHED', elapsedMs: 0 })], START)
    expect(await keyOf()).toMatchObject({ status: 0, msg: '排名截止后公布成绩与解析' })
    server.clock.now = OUT
    expect(await keyOf()).toMatchObject({ status: 1 })
    const other = await server.student()
    expect(await server.ask(key, { attemptId }, other.token)).toMatchObject({
      status: 0,
      msg: '还没有收到这次考试的交卷，请联网同步后再看',
    })
  })

  test('opens its questions to the record of who has handed in, and to no other', async () => {
    const some = async ({ token }: { token: string }) =>
      await server.call(contract.question.some, { nos: ['S_q1'] }, token)
    const collect = (who: typeof student) => {
      const collecting = op('collect', { questionNo: 'S_q1', folder: '', over: [] }, server.clock.now)
      const { attemptId: _, ...payload } = collecting.payload
      const ops = [{ ...collecting, payload }]
      const sent = { device: uuidv7(), owner: who.uid, proto: 1 as const, sentAt: server.clock.now, cursor: 0, ops }
      return server.call(contract.study.sync, sent, who.token)
    }
    const other = await server.student()
    server.clock.now = START
    const session = await server.student(student.mobile)
    const sitter = { ...student, token: session.token }
    await server.call(apply, { no: 'SECRET' }, sitter.token)
    await server.call(apply, { no: 'SECRET' }, other.token)
    student = sitter
    rev = (await server.call(paper, { no: 'SECRET' }, sitter.token)).rev
    await sync([begin(START, 'SECRET'), handIn([], START, { no: 'SECRET', elapsedMs: 0 })], START)
    for (const who of [sitter, other]) await collect(who)
    expect(await some(sitter)).toEqual([])
    server.clock.now = OUT
    expect((await some(sitter)).map(({ question }) => question.no)).toEqual(['S_q1'])
    expect(await some(other)).toEqual([])
  })

  test('is not for who hands in what they never applied for', async () => {
    student = await server.student()
    const at = began + MINUTE
    server.clock.now = at
    expect((await sync([begin(began), handIn([], at)], at)).verdicts).toMatchObject([
      { verdict: 'applied' },
      { verdict: 'applied' },
    ])
    const none = { status: 0, msg: '还没有收到这次考试的交卷，请联网同步后再看', data: null }
    expect(await keyOf()).toEqual(none)
    expect(await server.ask(contract.exam.report, { attemptId }, student.token)).toEqual(none)
  })

  test('does not count what another sitting chose', async () => {
    const at = began + MINUTE
    server.clock.now = at
    const foreign = choose('P_q1', 'B', at)
    await sync([foreign], at)
    attemptId = uuidv7()
    make = opsOf(attemptId)
    await sync([begin(began), handIn([foreign], at)], at)
    expect((await server.call(key, { attemptId }, student.token)).earned.score).toBe(0)
  })
})
