import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { remarkSome } from '#server/study/remark.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { walk } from '#tests/support/jobs.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

type Student = Awaited<ReturnType<TestServer['student']>>
let students: Student[]
let banks = 0
let no: string
/** As it was imported last before a test. */
let corrected: Bank
/** Imports the question with another key. */
let correct: (key: string, more?: object) => Promise<void>
/** Three students, in the order of the walk, have answered C; the key was B and is C now. */
beforeEach(async () => {
  const prefix = `W${++banks}`
  no = `${prefix}_q1`
  const bank = bankJson({ prefix, chapters: 1, perChapter: 1 })
  await importBank(server.db, server.mediaDir, bank)
  students = await Promise.all([1, 2, 3].map(() => server.student()))
  students.sort((a, b) => (a.uid < b.uid ? -1 : 1))
  for (const [i, who] of students.entries()) await answer(who, i + 1)
  correct = (key, more) => {
    const questions = bank.questions.map((each) => ({ ...each, answer: key, ...more }))
    return importBank(server.db, server.mediaDir, { ...bank, questions })
  }
  await correct('C')
  corrected = { ...bank, questions: bank.questions.map((each) => ({ ...each, answer: 'C' })) }
})
const answer = ({ uid, token }: Student, seq: number) =>
  server.call(
    contract.study.sync,
    {
      device: randomUUID(),
      owner: uid,
      proto: 1,
      sentAt: server.clock.now,
      cursor: 0,
      ops: [
        {
          opId: randomUUID(),
          seq,
          stream: `q:${no}`,
          kind: 'answer',
          v: 2,
          payload: {
            questionNo: no,
            response: { kind: 'choice', ids: ['C'] },
            spentMs: 1,
            from: 'library',
            version: 1,
          },
          ctx: { sg_key: 'jg', area: '0', key: 'jg' },
          clientAt: server.clock.now,
        },
      ],
    },
    token,
  )
/** Of each student, whether the answer is right by now. */
async function marks(): Promise<boolean[]> {
  const { rows } = await sql<{ right: boolean }>`
    select "right" from study_op where question_no = ${no} order by uid`.execute(server.db)
  return rows.map(({ right }) => right)
}
/** A record that no code of ours writes. */
const spoil = ({ uid }: Student) =>
  sql`update study_op set payload = (payload - 'response')::jsonb || jsonb_build_object('was', payload -> 'response')
    where uid = ${uid}`.execute(server.db)
const mend = ({ uid }: Student) =>
  sql`update study_op set payload = (payload - 'was') || jsonb_build_object('response', payload -> 'was') where uid = ${uid}`.execute(
    server.db,
  )
const first = (): Student => {
  if (!students[0]) throw new Error('three students')
  return students[0]
}

test('a student whose answers cannot be marked again holds up nobody, is told of, and has another turn later', async () => {
  await spoil(first())
  const told: string[] = []
  const noting = (now: number) => walk(now, { failed: (_, uid) => void told.push(uid) })
  while (await remarkSome(server.db, noting(server.clock.now)));
  expect(await marks()).toEqual([false, true, true])
  expect(told).toEqual([first().uid])
  const { rows } = await sql`select from remark where done_at is null`.execute(server.db)
  expect(rows, 'the walk is over').toEqual([])

  server.clock.now += 60_000
  while (await remarkSome(server.db, noting(server.clock.now)));
  expect(told, 'once a turn').toEqual([first().uid, first().uid])
  await mend(first())
  while (await remarkSome(server.db, walk(server.clock.now)));
  expect(await marks(), 'the next turn is later').toEqual([false, true, true])
  server.clock.now += 120_000
  while (await remarkSome(server.db, walk(server.clock.now)));
  expect(await marks()).toEqual([true, true, true])
  const left = await sql`select from remark_failed`.execute(server.db)
  expect(left.rows).toEqual([])
})

test('reasons that come with a corrected key ask nothing new: answers are marked again', async () => {
  while (await remarkSome(server.db, walk(server.clock.now)));
  expect(await marks()).toEqual([true, true, true])
  await correct('D', { reasons: { C: '少加了一' } })
  while (await remarkSome(server.db, walk(server.clock.now)));
  expect(await marks()).toEqual([false, false, false])
})

test('a server that is to end finishes the student it is at; the next one goes on after them', async () => {
  await spoil(first())
  const ending = new AbortController()
  await remarkSome(server.db, walk(server.clock.now, { stop: ending.signal, failed: () => ending.abort() }))
  expect(await marks()).toEqual([false, false, false])
  await mend(first())
  while (await remarkSome(server.db, walk(server.clock.now)));
  expect(await marks(), 'the one that failed waits for another turn').toEqual([false, true, true])
  server.clock.now += 60_000
  while (await remarkSome(server.db, walk(server.clock.now)));
  expect(await marks()).toEqual([true, true, true])
})

test('more students than one chunk all have their turn', async () => {
  const more = await Promise.all(Array.from({ length: 45 }, () => server.student()))
  await Promise.all(more.map((who) => answer(who, 1)))
  while (await remarkSome(server.db, walk(server.clock.now)));
  expect(await marks()).toEqual(Array.from({ length: 48 }, () => true))
  await correct('D')
  while (await remarkSome(server.db, walk(server.clock.now)));
  expect(await marks()).toEqual(Array.from({ length: 48 }, () => false))
})

type Bank = ReturnType<typeof bankJson>
const inAnother = ({ chapters, questions, ...bank }: Bank): Bank => ({
  ...bank,
  chapters: [...chapters, { no: `${bank.library.no}_c2`, parent: null, title: '第2章' }],
  questions: questions.map((each) => ({ ...each, chapter: `${bank.library.no}_c2` })),
})
const inNone = ({ questions, ...bank }: Bank): Bank => ({
  ...bank,
  questions: questions.map((each) => ({ ...each, no: `${bank.library.no}_q2` })),
})
const underAnother = ({ points, questions, ...bank }: Bank): Bank => ({
  ...bank,
  points: [...points, { no: `${bank.library.no}_p2`, parent: null, name: '党史' }],
  questions: questions.map((each) => ({ ...each, points: [`${bank.library.no}_p2`] })),
})
/** What a device hears of the question after a cursor. */
async function heard({ uid, token }: Student, cursor: number) {
  const input = { device: randomUUID(), owner: uid, proto: 1 as const, sentAt: server.clock.now, cursor, ops: [] }
  const { changes, cursor: now } = await server.call(contract.study.sync, input, token)
  return { states: changes.flatMap((change) => (change.kind === 'state' ? [change.state] : [])), cursor: now }
}

test.each([
  ['stands in another chapter', inAnother],
  ['is retired', inNone],
  ['stands under other points', underAnother],
])('a question %s: the devices of those who did something with it hear so, once', async (_, change) => {
  while (await remarkSome(server.db, walk(server.clock.now)));
  const [one, other] = [first(), students[1] ?? first()]
  const before = await heard(one, 0)
  const publish = () => importBank(server.db, server.mediaDir, change(corrected))
  await publish()
  while (await remarkSome(server.db, walk(server.clock.now)));
  const after = await heard(one, before.cursor)
  const [was, is] = [before.states[0], after.states[0]]
  if (!was || !is) throw new Error('the device heard nothing')
  const { chapterNo, libraryNo, points } = was
  expect(is).not.toEqual(was)
  expect({ ...is, chapterNo, libraryNo, points }, 'what was done stays').toEqual(was)
  expect((await heard(other, before.cursor)).states).toHaveLength(1)
  await publish()
  while (await remarkSome(server.db, walk(server.clock.now)));
  expect((await heard(one, after.cursor)).states, 'published again as it is, nothing has moved').toEqual([])
})
