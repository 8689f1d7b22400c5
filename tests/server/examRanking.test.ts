import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { contract } from '#src/contract/index.ts'
import { importDemo } from '#server/demo/demo.ts'
import { rankSome } from '#server/exam/ranking.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { opsOfSitting, sendOps, sitExam } from '#tests/support/sitExam.ts'

const { apply, paper, rank, report } = contract.exam
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const BEGUN = Date.UTC(2026, 10, 21, 4)
const FOUR = ['R_q1', 'R_q2', 'R_q3', 'R_q4'] as const

let server: TestServer
/** An exam of its own for each test. */
let no = ''
let count = 0
let rev = ''
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'R', chapters: 1, perChapter: 4 }))
})
afterAll(() => server.close())

const PAPER = [
  ['R_q1', 'R_q2'],
  ['R_q3', 'R_q4'],
]
const publish = async (more: object = {}) => {
  no = `R${++count}`
  await publishExam(server.db, {
    ...examJson({ no, paper: PAPER }),
    ...more,
  })
}
beforeEach(async () => {
  server.clock.now = BEGUN
  await publish()
})

type Student = Awaited<ReturnType<TestServer['student']>>
const newcomer = async (): Promise<Student> => {
  const student = await server.student()
  await server.call(apply, { no }, student.token)
  rev = (await server.call(paper, { no }, student.token)).rev
  return student
}
/** So many right of four, the first ones. */
const answers = (right: number): Record<string, string> =>
  Object.fromEntries(FOUR.map((question, i) => [question, i < right ? 'B' : 'A']))
const sit = (student: Student, right: number, more: Partial<Parameters<typeof sitExam>[2]> = {}) =>
  sitExam(server, student, { no, rev, answers: answers(right), begunAt: BEGUN, tookMs: 10 * MINUTE, ...more })
const sittingOps = (attemptId: string, right: number, more: { open?: boolean } = {}) =>
  opsOfSitting({ no, rev, attemptId, answers: answers(right), begunAt: BEGUN, tookMs: 10 * MINUTE, ...more })
/** In the order in which one device has done them. */
const numbered = <T extends { seq: number }>(ops: readonly T[]): T[] => ops.map((op, at) => ({ ...op, seq: at + 1 }))
const reportOf = ({ token }: Student, attemptId: string) => server.call(report, { attemptId }, token)
const rankFor = (token = '') => server.call(rank, { no }, token)

describe('a ranking', () => {
  test('has ties on one place, the quicker first, names masked, and everybody counted once', async () => {
    const students = []
    for (const [right, minutes] of [
      [4, 30],
      [4, 20],
      [2, 10],
      [0, 10],
    ] as const) {
      const student = await newcomer()
      await server.call(contract.consent.choose, { kind: 'rankName', given: true }, student.token)
      students.push({ student, id: await sit(student, right, { tookMs: minutes * MINUTE }) })
    }
    while (await rankSome(server.db, server.clock.now));
    expect(await rankSome(server.db, server.clock.now)).toBe(false)
    const [, , third] = students
    if (!third) throw new Error('no third student')
    const said = await rankFor(third.student.token)
    expect(said).toMatchObject({ ranked: 4, average: 125 })
    expect(said.top.map(({ rank: place, score, elapsedMs, me }) => [place, score, elapsedMs / MINUTE, me])).toEqual([
      [1, 200, 20, false],
      [1, 200, 30, false],
      [3, 100, 10, true],
      [4, 0, 10, false],
    ])
    expect(said.top.every(({ name }) => /^学\*\*\d$/.test(name))).toBe(true)
    expect(said.mine).toEqual({ attemptId: third.id, rank: 3, score: 100, elapsedMs: 10 * MINUTE, beaten: 333 })
    expect(await reportOf(third.student, third.id)).toMatchObject({
      ranked: 4,
      average: 125,
      best: 200,
      rank: 3,
      unranked: null,
      beaten: 333,
      // 100, 100, 100, 0 and 100, 100, 0, 0
      sections: [75, 50],
    })
    const { bands } = await reportOf(third.student, third.id)
    expect(bands.flatMap((n, band) => (n > 0 ? [[band, n]] : []))).toEqual([
      [0, 1],
      [10, 1],
      [19, 2],
    ])
  })

  test('counts a hand-in for its own report at once, and others when their turn comes', async () => {
    const [one, two] = [await newcomer(), await newcomer()]
    await sit(one, 4)
    const id = await sit(two, 1)
    expect(await reportOf(two, id)).toMatchObject({ ranked: 1, rank: 1, beaten: null })
    await Promise.all([
      rankSome(server.db, server.clock.now),
      rankSome(server.db, server.clock.now),
      rankSome(server.db, server.clock.now),
    ])
    expect(await reportOf(two, id)).toMatchObject({ ranked: 2, rank: 2, beaten: 0 })
  })

  test('counts nobody twice when the exam is published again, with another closing time or a corrected key', async () => {
    const bank = bankJson({ prefix: 'K', chapters: 1, perChapter: 2 })
    const keyed = (first: string) => {
      const questions = bank.questions.map((question, i) => ({ ...question, answer: i === 0 ? first : 'B' }))
      return importBank(server.db, server.mediaDir, { ...bank, questions })
    }
    await keyed('B')
    const { sections } = examJson({ no: 'K', paper: [['K_q1'], ['K_q2']] })
    await publish({ sections, rankClosesAt: '2026-11-21 20:00' })
    const [one, two] = [await newcomer(), await newcomer()]
    const first = await sit(one, 0, { answers: { K_q1: 'B', K_q2: 'B' } })
    await sit(two, 0, { answers: { K_q1: 'B', K_q2: 'A' } })
    const counted = async () => {
      while (await rankSome(server.db, server.clock.now));
      const { ranked, average, top } = await rankFor()
      return [ranked, average, ...top.map(({ score }) => score)]
    }
    expect(await counted()).toEqual([2, 75, 100, 50])

    const again = (more: object) => publishExam(server.db, { ...examJson({ no, paper: [] }), sections, ...more })
    expect(await again({ rankClosesAt: '2026-11-21 22:00' })).toBe('same')
    expect(await counted()).toEqual([2, 75, 100, 50])
    await keyed('A')
    expect(await again({})).toBe('changed')
    expect(await counted()).toEqual([2, 75, 100, 50])

    // Who comes now sits the new paper, and is one more.
    const third = await newcomer()
    const late = await sit(third, 0, { answers: { K_q1: 'A', K_q2: 'A' } })
    expect(await counted()).toEqual([3, 67, 100, 50, 50])
    // What is told of a section is told of those who sat the same paper.
    expect((await reportOf(one, first)).sections).toEqual([50, 25])
    expect((await reportOf(third, late)).sections).toEqual([50, 0])
  })

  test('marks two sittings that are counted in one turn each by the paper it sat', async () => {
    const bank = bankJson({ prefix: 'Q', chapters: 1, perChapter: 2 })
    const keyed = (first: string) => {
      const questions = bank.questions.map((question, i) => ({ ...question, answer: i === 0 ? first : 'B' }))
      return importBank(server.db, server.mediaDir, { ...bank, questions })
    }
    const { sections } = examJson({ no: 'Q', paper: [['Q_q1'], ['Q_q2']] })
    await keyed('B')
    await publish({ sections })
    await sit(await newcomer(), 0, { answers: { Q_q1: 'B', Q_q2: 'B' } })
    await keyed('A')
    await publishExam(server.db, { ...examJson({ no, paper: [] }), sections })
    await sit(await newcomer(), 0, { answers: { Q_q1: 'A', Q_q2: 'A' } })
    while (await rankSome(server.db, server.clock.now));
    expect((await rankFor()).top.map(({ score }) => score)).toEqual([100, 50])
  })

  test('takes the first of two sittings that were begun in one sync, in whichever order its ops stand', async () => {
    const begun = async (turned: boolean) => {
      const student = await newcomer()
      const [first, second] = [uuidv7(), uuidv7()]
      const ops = [first, second].flatMap((attemptId) => sittingOps(attemptId, 0, { open: true }))
      await sendOps(server, student, turned ? numbered(ops).toReversed() : numbered(ops))
      server.clock.now = BEGUN + 10 * MINUTE
      const [, ...rest] = sittingOps(first, 1)
      await sendOps(server, student, rest)
      server.clock.now += 1
      const [, ...later] = sittingOps(second, 4)
      await sendOps(server, student, later)
      expect(await reportOf(student, first)).toMatchObject({ rank: 1, unranked: null, best: 50 })
      expect(await reportOf(student, second)).toMatchObject({ rank: null, unranked: 'again' })
    }
    for (const turned of [false, true]) {
      await publish()
      server.clock.now = BEGUN
      await begun(turned)
    }
  })

  test('takes the first of two sittings that a device brings whole in one sync', async () => {
    const student = await newcomer()
    const [first, second] = [uuidv7(), uuidv7()]
    server.clock.now = BEGUN + 10 * MINUTE
    await sendOps(server, student, numbered([...sittingOps(first, 1), ...sittingOps(second, 4)]))
    expect(await reportOf(student, first)).toMatchObject({ rank: 1, unranked: null, best: 50 })
    expect(await reportOf(student, second)).toMatchObject({ rank: null, unranked: 'again' })
  })

  test('names nobody without their consent, and nobody any more who takes it back', async () => {
    const [student, other] = [await newcomer(), await newcomer()]
    await sit(student, 3)
    while (await rankSome(server.db, server.clock.now));
    const named = async (from: Student) => (await rankFor(from.token)).top.map(({ name }) => name)
    expect(await named(other)).toEqual(['匿名考生'])
    const choose = (given: boolean) => server.call(contract.consent.choose, { kind: 'rankName', given }, student.token)
    await choose(true)
    expect(await named(other)).toEqual([expect.stringMatching(/^学\*/)])
    // What another student chooses changes nothing of it.
    await server.call(contract.consent.choose, { kind: 'rankName', given: false }, other.token)
    expect(await named(other)).toEqual([expect.stringMatching(/^学\*/)])
    await choose(false)
    expect(await named(other)).toEqual(['匿名考生'])
    expect((await rankFor(student.token)).top).toMatchObject([{ rank: 1, name: '匿名考生', score: 150, me: true }])
  })

  test('of an exam with a window is told when that and its ranking are over', async () => {
    await publish({ startsAt: '2026-11-21 10:00', endsAt: '2026-11-21 14:00' })
    const student = await newcomer()
    const id = await sit(student, 4)
    expect(await server.ask(rank, { no })).toMatchObject({ status: 0, msg: '排名截止后公布排名' })
    expect(await server.ask(report, { attemptId: id }, student.token)).toMatchObject({
      status: 0,
      msg: '排名截止后公布成绩与解析',
    })
    // Its file does not say when its ranking closes: ten minutes after it.
    server.clock.now = BEGUN + 2 * HOUR + 10 * MINUTE - 1
    expect(await server.ask(rank, { no })).toMatchObject({ status: 0 })
    server.clock.now += 1
    while (await rankSome(server.db, server.clock.now));
    expect((await rankFor()).top).toMatchObject([{ rank: 1, me: false }])
    expect(await server.ask(report, { attemptId: id })).toMatchObject({ status: 2 })
    const other = await server.student()
    expect(await server.ask(report, { attemptId: id }, other.token)).toMatchObject({ status: 0 })
  })
})

describe('not ranked is', () => {
  const unranked = async (student: Student, id: string) => {
    const said = await reportOf(student, id)
    expect(said.rank).toBeNull()
    return said.unranked
  }

  test('a second sitting, though it pretends to have begun before the first', async () => {
    const student = await newcomer()
    const first = await sit(student, 1)
    const second = await sit(student, 4, { begunAt: BEGUN - 5 * HOUR })
    expect(await unranked(student, second)).toBe('again')
    expect(await reportOf(student, first)).toMatchObject({ ranked: 1, rank: 1, average: 50 })
  })

  test('a sitting after one whose paper was seen and left', async () => {
    const student = await newcomer()
    await sit(student, 4, { open: true })
    expect(await unranked(student, await sit(student, 4))).toBe('again')
    expect((await rankFor()).ranked).toBe(0)
  })

  test('a sitting that came in one sync with the begin of an earlier one', async () => {
    const student = await newcomer()
    const [left, handed] = [uuidv7(), uuidv7()]
    server.clock.now = BEGUN + 10 * MINUTE
    const ops = numbered([...sittingOps(left, 0, { open: true }), ...sittingOps(handed, 4)])
    await sendOps(server, student, ops)
    expect(await unranked(student, handed)).toBe('again')
    expect((await rankFor()).ranked).toBe(0)
  })

  test('练习, nor what comes after it, when the key is known', async () => {
    const student = await newcomer()
    expect(await unranked(student, await sit(student, 4, { mode: 'practice' }))).toBe('practice')
    expect(await unranked(student, await sit(student, 4))).toBe('again')
  })

  test('a first sitting that was handed in when another one had given the key', async () => {
    const student = await newcomer()
    const first = uuidv7()
    await sit(student, 0, { attemptId: first, open: true })
    await sit(student, 0, { mode: 'practice' })
    server.clock.now += MINUTE
    await sit(student, 4, { attemptId: first, tookMs: 20 * MINUTE })
    expect(await unranked(student, first)).toBe('again')
    expect((await rankFor()).ranked).toBe(0)
  })

  test('one whose clocks disagree, or that took too long', async () => {
    const [one, two] = [await newcomer(), await newcomer()]
    expect(await unranked(one, await sit(one, 4, { elapsedMs: MINUTE }))).toBe('clock')
    expect(await unranked(two, await sit(two, 4, { tookMs: 62 * MINUTE }))).toBe('over')
  })

  test('one that was sealed over other choices', async () => {
    const student = await newcomer()
    expect(await unranked(student, await sit(student, 4, { sealed: answers(0) }))).toBe('edited')
    while (await rankSome(server.db, server.clock.now));
    expect((await rankFor()).ranked).toBe(0)
  })

  test('one that arrives when the ranking is closed', async () => {
    await publish({ rankClosesAt: '2026-11-21 15:00' })
    const [early, late, last] = [await newcomer(), await newcomer(), await newcomer()]
    server.clock.now = BEGUN + 3 * HOUR
    const inTime = await sit(early, 1)
    server.clock.now += 1
    const id = await sit(late, 4)
    expect(await unranked(late, id)).toBe('closed')
    expect(await reportOf(early, inTime)).toMatchObject({ ranked: 1, rank: 1 })
    // Where it would stand is told all the same.
    expect((await reportOf(late, id)).beaten).toBe(1000)
    // The operator gives more time: who was late is in.
    await publishExam(server.db, { ...examJson({ no, paper: PAPER }), rankClosesAt: '2026-11-21 18:00' })
    expect(await reportOf(late, id)).toMatchObject({ ranked: 2, rank: 1, unranked: null })
    expect((await rankFor()).top).toHaveLength(2)
    // And no end at all: who was later still is in as well, and the others are where they were.
    server.clock.now = BEGUN + 9 * HOUR
    const latest = await sit(last, 2)
    expect(await unranked(last, latest)).toBe('closed')
    await publishExam(server.db, examJson({ no, paper: PAPER }))
    expect(await reportOf(last, latest)).toMatchObject({ ranked: 3, rank: 2, unranked: null })
  })
})

test('the demo’s exam that is over has 2,000 made-up participants, once', async () => {
  const demo = { mediaDir: server.mediaDir, say: () => {} }
  await importDemo(server.db, demo)
  await server.db.deleteFrom('setting').where('key', '=', 'demo.seeded').execute()
  await importDemo(server.db, demo)
  const said = await server.call(rank, { no: 'X_wz_public' })
  expect(said.ranked).toBe(2_000)
  expect(said.top).toHaveLength(100)
  expect(said.top.map(({ score }) => score)).toEqual(said.top.map(({ score }) => score).sort((a, b) => b - a))
  const about = await server.call(contract.exam.detail, { no: 'X_wz_public' })
  expect(about.applyCount).toBe(2_000)
  expect(said.top.every(({ score }) => score <= about.full && score % 50 === 0)).toBe(true)
  expect(said.average).toBeGreaterThan(about.full / 3)
})

test('a paper of 110 questions of half a mark, one and a half and one is marked to the hundredth', async () => {
  // 文职公共科目: 60 questions for 40 marks, 50 for 60.
  const parts: [count: number, score: number][] = [
    [50, 0.5],
    [6, 1.5],
    [4, 1.5],
    [20, 1],
    [10, 1.5],
    [10, 1.5],
    [10, 1],
  ]
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'W', chapters: 1, perChapter: 110 }))
  let at = 0
  const sections = parts.map(([length, score], i) => ({
    title: `第${i + 1}部分`,
    note: '',
    questions: Array.from({ length }, () => ({ no: `W_q${++at}`, score })),
  }))
  await publish({ minutes: 180, full: 100, sections })
  const about = await server.call(contract.exam.detail, { no })
  expect([about.count, about.full, about.minutes]).toEqual([110, 10_000, 180])
  const student = await newcomer()
  // Every third is wrong.
  const given = Object.fromEntries(Array.from({ length: 110 }, (_, i) => [`W_q${i + 1}`, i % 3 === 2 ? 'A' : 'B']))
  const id = await sit(student, 0, { answers: given, tookMs: 179 * MINUTE })
  const { earned } = await server.call(contract.exam.key, { attemptId: id }, student.token)
  const marks = sections.flatMap(({ questions }) => questions.map(({ score }) => score * 100))
  const expected = marks.reduce((sum, score, i) => sum + (i % 3 === 2 ? 0 : score), 0)
  expect([earned.score, earned.full, earned.right]).toEqual([expected, 10_000, 74])
  const said = await reportOf(student, id)
  expect(said).toMatchObject({ rank: 1, unranked: null, best: expected })
  expect(said.sections.reduce<number>((sum, each) => sum + (each ?? 0), 0)).toBe(expected)
})
