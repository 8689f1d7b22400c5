import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statistic } from '#server/question/statistics.ts'
import type { Input } from '#src/contract/endpoint.ts'
import { contract } from '#src/contract/index.ts'
import type { Response } from '#src/contract/response.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { opsOf } from '#tests/support/sitExam.ts'
import { publishTesting, testingJson } from '#tests/support/testings.ts'

const bank = {
  ...bankJson({ prefix: 'R', chapters: 1, perChapter: 0 }),
  questions: [1, 2].map((n) => ({
    no: `R_q${n}`,
    chapter: 'R_c1',
    type: '排序题',
    stem: `第${n}题：按先后排列`,
    options: ['古田会议', '南昌起义', '三湾改编'],
    answer: 'BCA',
    analysis: '秘密',
  })),
}
let server: TestServer
let student: Awaited<ReturnType<TestServer['student']>>
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bank)
  await publishExam(server.db, examJson({ no: 'R_X', paper: [['R_q1', 'R_q2']] }))
  await publishTesting(server.db, testingJson({ no: 'R_T', paper: [['R_q1']] }))
  await publish(server.db, setJson({ no: 'R_S', papers: [[['R_q1']]] }))
  student = await server.student()
  await server.call(contract.exam.apply, { no: 'R_X' }, student.token)
})
afterAll(() => server.close())

const papersFor = async (types: readonly string[]) => {
  const asked = [
    server.ask(contract.exam.paper, { no: 'R_X' }, student.token, {}, types),
    server.ask(contract.exam.sealed, { no: 'R_X' }, student.token, {}, types),
    server.ask(contract.testing.paper, { no: 'R_T' }, student.token, {}, types),
    server.ask(contract.questionSet.paper, { no: 'R_S', itemNo: 'R_S_1' }, student.token, {}, types),
  ]
  return (await Promise.all(asked)).map(({ status, msg }) => ({ status, msg }))
}

test('a paper with an order to make is refused to an app that cannot show it, and given to one that can', async () => {
  const refused = { status: 0, msg: '这份试卷有新的题型，请先更新：关闭应用再打开，或刷新页面' }
  expect(await papersFor([])).toEqual([refused, refused, refused, refused])
  expect(await papersFor(['matching'])).toEqual([refused, refused, refused, refused])
  for (const { status } of await papersFor(['order', 'matching'])) expect(status).toBe(1)
})

test('a chapter is given to every app: one that does not know the type reads it', async () => {
  const block = await server.ask(contract.question.block, { no: 'R_c1', at: 0 }, '', {}, [])
  expect(block).toMatchObject({ status: 1, data: { questions: [{ type: 'order' }, { type: 'order' }] } })
})

const sync = (ops: Input<typeof contract.study.sync>['ops']) =>
  server.call(
    contract.study.sync,
    { device: uuidv7(), owner: student.uid, proto: 1, sentAt: server.clock.now, cursor: 0, ops },
    student.token,
  )
const ordered = (ids: string): Response => ({ kind: 'order', ids: ids.split('') })

test('an exam asks for an order without telling it, and marks it as a whole', async () => {
  const paper = await server.call(contract.exam.paper, { no: 'R_X' }, student.token)
  expect(paper.sections[0]?.entries[0]?.question).toMatchObject({ type: 'order', key: [], analysis: '' })
  const attemptId = uuidv7()
  const op = opsOf(attemptId)
  const at = server.clock.now
  const ref = { exam: 'R_X', rev: paper.rev, mode: 'exam' }
  const choices = Object.entries({ R_q1: 'BCA', R_q2: 'BAC' }).map(([questionNo, ids]) =>
    op('examChoice', { questionNo, response: ordered(ids), spentMs: 1_000, elapsedMs: 0 }, at),
  )
  const given = choices.map(({ opId }) => opId)
  const handIn = op('examHandIn', { ...ref, choices: given, hash: 'a'.repeat(64), elapsedMs: 0, spentMs: 1_000 }, at)
  const { verdicts } = await sync([op('examBegin', ref, at), ...choices, handIn])
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['applied']))
  expect(await server.call(contract.exam.key, { attemptId }, student.token)).toMatchObject({
    earned: { marks: [50, 0], full: 100 },
  })
})

test('in practice an order of all options counts, and one that nobody can have made is refused', async () => {
  const op = opsOf('practice')
  const answer = (ids: string) => ({
    ...op('answer', {}, server.clock.now),
    stream: 'study',
    v: 2,
    payload: { questionNo: 'R_q1', response: ordered(ids), spentMs: 1, from: 'library', version: 1 },
  })
  const said = await sync([answer('BCA'), answer('BC'), answer('BBA')])
  expect(said.verdicts.map(({ verdict }) => verdict)).toEqual(['applied', 'rejected', 'rejected'])
  const states = said.changes.flatMap((each) => (each.kind === 'state' ? each.state : []))
  expect(states.find(({ questionNo }) => questionNo === 'R_q1')).toMatchObject({
    type: 'order',
    times: 1,
    wrong: 0,
    lastResponse: ordered('BCA'),
  })
})

test('the class average of an order is of those who were right, whatever the others made', () => {
  const body = { no: 'R_q1', type: 'order', key: ['B', 'C', 'A'] } as const
  const tally = { no: 'R_q1', body: { ...body, key: [...body.key] }, picks: [{ pick: '', n: 40, right: 10 }] }
  expect(statistic(tally)).toEqual({ no: 'R_q1', students: 40, right: 25 })
})
