import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { Change, OpRecord, Thing } from '#src/contract/study.ts'
import { type Fact, fold, standing } from '#src/domain/study/study.ts'
import { answerReports, openReports } from '#server/content/bank/reports.ts'
import { tallyChunk } from '#server/study/jobs.ts'
import { remarkSome } from '#server/study/remark.ts'
import { readKnown, writeBatch } from '#server/study/store.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { walk } from '#tests/support/jobs.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { placeIn, statesIn } from '#tests/support/states.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

type Bank = ReturnType<typeof bankJson>
type Source = Bank['questions'][number]
let banks = 0
let bank: Bank
let q: (n: number) => string
/** Each test has a library of its own; the right option is B throughout. */
beforeEach(async () => {
  const prefix = `K${++banks}`
  q = (n) => `${prefix}_q${n}`
  bank = bankJson({ prefix, chapters: 1, perChapter: 4 })
  await importBank(server.db, server.mediaDir, bank)
})

/** Imports the bank with a question changed, as an operator does. */
async function change(n: number, over: Partial<Source>): Promise<void> {
  bank.questions = bank.questions.map((each, i) => (i === n - 1 ? { ...each, ...over } : each))
  await importBank(server.db, server.mediaDir, bank)
}
async function remarkAll(): Promise<void> {
  while (await remarkSome(server.db, walk(server.clock.now)));
}
const question = async (n: number) => {
  const { questions } = await server.call(contract.question.block, { no: bank.chapters[0]?.no ?? '', at: 0 })
  return questions[n - 1]
}

const device = randomUUID()
let seq = 0
function op(kind: string, payload: object, over: Partial<OpRecord> = {}): OpRecord {
  const stream = 'questionNo' in payload ? `q:${String(payload.questionNo)}` : `${kind}:x`
  const ctx = { sg_key: 'jg', area: '0', key: 'jg' }
  // No two at the same moment: op ids would decide their order.
  const clientAt = ++server.clock.now
  return { opId: randomUUID(), seq: ++seq, stream, kind, v: 1, payload, ctx, clientAt, ...over }
}
const answer = (n: number, id: string, { version = 1, ...over }: Partial<OpRecord> & { version?: number } = {}) => {
  const response = { kind: 'choice', ids: [id] }
  return op('answer', { questionNo: q(n), response, spentMs: 1000, from: 'library', version }, { v: 2, ...over })
}
type Student = Awaited<ReturnType<TestServer['student']>>
const sync = (who: Student, ops: OpRecord[] = [], cursor = 0) =>
  server.call(
    contract.study.sync,
    { device, owner: who.uid, proto: 1, sentAt: server.clock.now, cursor, ops },
    who.token,
  )
const state = async (who: Student, n: number) => statesIn((await sync(who)).changes).get(q(n))
const noticesIn = (changes: readonly Change[]): Map<string, Thing<'notice'>> =>
  new Map(changes.flatMap((each) => (each.kind === 'notice' ? [[each.id, each.body] as const] : [])))
const today = (changes: readonly Change[]) => changes.find(({ kind }) => kind === 'day')

describe('versions', () => {
  test('a new question is the first and says nothing; each change counts up and keeps the old body', async () => {
    expect(await question(1)).not.toHaveProperty('version')
    await change(1, { answer: 'C' })
    await change(1, { stem: '另一道题：1 加 1 等于多少？' })
    expect(await question(1)).toMatchObject({ version: 3, key: ['C'] })
    const { rows } = await sql<{ version: number; key: string[]; replaced_at: number }>`
      select version, body -> 'key' as key, replaced_at from question_version where question_no = ${q(1)} order by version`.execute(
      server.db,
    )
    expect(rows.map(({ version, key }) => [version, key])).toEqual([
      [1, ['B']],
      [2, ['C']],
    ])
    expect(rows[0]?.replaced_at).toBeGreaterThan(0)
  })

  test('the same content again, or at another place, is the same version', async () => {
    await change(1, { answer: 'C' })
    await importBank(server.db, server.mediaDir, bank)
    bank.questions.reverse()
    await importBank(server.db, server.mediaDir, bank)
    expect(await question(4)).toMatchObject({ no: q(1), version: 2 })
  })
})

describe('a corrected key', () => {
  test('marks recorded answers again, with day and error book, and tells the student once', async () => {
    const who = await server.student()
    await sync(who, [answer(1, 'C'), answer(2, 'B')])
    const before = await sync(who)
    await change(1, { answer: 'C' })
    await remarkAll()
    const { changes } = await sync(who, [], before.cursor)
    expect(statesIn(changes).get(q(1))).toMatchObject({ times: 1, wrong: 0, lastRight: true, streak: 1 })
    expect(statesIn(changes).get(q(1))).not.toHaveProperty('book')
    expect(today(changes)).toMatchObject({ body: { answered: 2, right: 2 } })
    expect([...noticesIn(changes)]).toEqual([
      [q(1), { at: server.clock.now, version: 2, was: false, right: true, chosen: ['C'] }],
    ])
    const { cursor } = await sync(who)
    await sql`update remark set done_at = null, cursor = ''`.execute(server.db)
    await remarkAll()
    expect((await sync(who, [], cursor)).changes).toEqual([])
  })

  test('tells who answered before it and is heard after it', async () => {
    const who = await server.student()
    await change(1, { answer: 'C' })
    const { changes } = await sync(who, [answer(1, 'C'), answer(2, 'B')])
    expect(statesIn(changes).get(q(1))).toMatchObject({ times: 1, wrong: 0 })
    expect([...noticesIn(changes)]).toMatchObject([[q(1), { version: 2, was: false, right: true, chosen: ['C'] }]])
    const other = await server.student()
    expect(noticesIn((await sync(other, [answer(1, 'C', { version: 2 })])).changes).size).toBe(0)
  })

  test('tells nobody whose mark stays', async () => {
    const who = await server.student()
    await sync(who, [answer(1, 'D')])
    await change(1, { answer: 'C' })
    await remarkAll()
    expect(noticesIn((await sync(who)).changes).size).toBe(0)
  })

  test('of an answer that was taken back changes nothing that is seen', async () => {
    const who = await server.student()
    const given = answer(1, 'C')
    await sync(who, [given, op('retract', { questionNo: q(1), target: given.opId })])
    await change(1, { answer: 'C' })
    await remarkAll()
    const { changes } = await sync(who)
    expect(statesIn(changes).get(q(1))).toMatchObject({ times: 0 })
    expect(today(changes)).toMatchObject({ body: { answered: 0, right: 0 } })
    expect(noticesIn(changes).size).toBe(0)
  })
})

describe('a question that asks something else', () => {
  test('leaves old answers their mark, and what comes late is marked by the key of what it answered', async () => {
    const who = await server.student()
    await sync(who, [answer(1, 'B')])
    await change(1, { answer: 'C' })
    await change(1, { stem: '另一道题：1 加 1 等于多少？', answer: 'D' })
    await remarkAll()
    // B was right for the first version and is not for the second, which asked the same.
    expect(await state(who, 1)).toMatchObject({ times: 1, lastRight: false })
    await sync(who, [answer(1, 'C', { version: 1 })])
    expect(await state(who, 1)).toMatchObject({ times: 2, lastRight: true })
    await sync(who, [answer(1, 'D', { version: 3 })])
    expect(await state(who, 1)).toMatchObject({ times: 3, lastRight: true })
    expect([...noticesIn((await sync(who)).changes).values()]).toMatchObject([{ right: true, chosen: ['C'] }])
    await change(1, { answer: 'A' })
    await remarkAll()
    expect(await state(who, 1)).toMatchObject({ times: 3, wrong: 2, lastRight: false })
  })
})

test('a retired question stays in the record, with its text', async () => {
  const who = await server.student()
  await sync(who, [answer(1, 'A')])
  bank.questions = bank.questions.slice(1)
  await importBank(server.db, server.mediaDir, bank)
  expect(await state(who, 1)).toMatchObject({ chapterNo: null, times: 1, wrong: 1 })
  const { rows } = await sql<{ retired: boolean; body: object }>`
    select retired, body from question where no = ${q(1)}`.execute(server.db)
  expect(rows).toMatchObject([{ retired: true, body: { no: q(1), key: ['B'] } }])
})

describe('beside batches of the same students', () => {
  test('no answer is left with the old mark, and none counts twice', async () => {
    const students = await Promise.all(Array.from({ length: 6 }, () => server.student()))
    await Promise.all(students.map((who) => sync(who, [answer(1, 'C')])))
    const write = async (who: Student) => {
      for (let i = 0; i < 8; i++) await sync(who, [answer(1, i % 2 ? 'B' : 'C'), answer(2, 'B')])
    }
    const correct = async () => {
      for (const key of ['C', 'D', 'C']) {
        await change(1, { answer: key })
        await Promise.all([remarkAll(), remarkAll()])
      }
    }
    await Promise.all([...students.map(write), correct()])
    await remarkAll()
    for (const who of students) {
      const { changes } = await sync(who)
      expect(statesIn(changes).get(q(1))).toMatchObject({ times: 9, wrong: 4 })
      expect(today(changes)).toMatchObject({ body: { answered: 17, right: 13 } })
    }
  })

  test('a batch that was read with the old key is not written', async () => {
    const { uid } = await server.student()
    const read = () =>
      readKnown(
        server.db,
        { uid, device, cursor: 0 },
        { opIds: [], seqs: [], questionNos: [q(1)], keys: [], targets: [] },
      )
    const { rev, marking } = await read()
    const batch = {
      uid,
      device,
      ops: [],
      records: [],
      firsts: [],
      heard: [],
      rev,
      marking,
      ack: 0,
      now: server.clock.now,
    }
    await change(1, { answer: 'C' })
    expect(await writeBatch(server.db, batch)).toBe(false)
    expect(await writeBatch(server.db, { ...batch, marking: (await read()).marking })).toBe(true)
  })

  test('one that is being written with the old key is waited for', async () => {
    const who = await server.student()
    // Its write waits for this lock, so that the correction comes between.
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const blocker = server.db.transaction().execute(async (tx) => {
      await sql`select from student where uid = ${who.uid} for update`.execute(tx)
      locked.resolve()
      await held.promise
    })
    await locked.promise
    const sent = sync(who, [answer(1, 'C')])
    await expect
      .poll(
        async () =>
          (
            await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db)
          ).rows[0]?.n,
      )
      .toBe(1)
    await change(1, { answer: 'C' })
    const remarked = remarkAll()
    held.resolve()
    await Promise.all([blocker, sent, remarked])
    await remarkAll()
    expect(await state(who, 1)).toMatchObject({ times: 1, wrong: 0, lastRight: true })
  })
})

test('after any corrections every state is the fold of all ops with the newest key', async () => {
  const acts = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ answer: fc.constantFrom('A', 'B', 'C'), age: fc.nat(200_000_000) }) },
      fc.record({ key: fc.constantFrom('A', 'B', 'C') }),
      fc.record({ retract: fc.nat(5) }),
    ),
    { minLength: 2, maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      const who = await server.student()
      const facts: Fact[] = []
      let key = 'B'
      await change(1, { answer: key })
      for (const act of list) {
        if ('key' in act) {
          await change(1, { answer: (key = act.key) })
          continue
        }
        const target = 'retract' in act ? facts.filter(({ kind }) => kind === 'answer')[act.retract] : undefined
        if ('retract' in act && !target) continue
        const at = server.clock.now - ('age' in act ? act.age : 0)
        const sent = target
          ? op('retract', { questionNo: q(1), target: target.opId })
          : answer(1, 'answer' in act ? act.answer : '', { clientAt: at })
        await sync(who, [sent])
        const { opId, kind, payload } = sent
        facts.push({ ...(payload as object), opId, kind, at } as Fact)
      }
      await remarkAll()
      const marked = facts.map((fact): Fact =>
        fact.kind === 'answer' && fact.response.kind === 'choice'
          ? { ...fact, right: fact.response.ids[0] === key }
          : fact,
      )
      const { changes } = await sync(who)
      const place = placeIn(bank.library.no, bank.chapters[0]?.no)
      const points = [`${bank.library.no}_p1`]
      const folded = facts.length > 0 ? fold(q(1), marked, { ...place, points }) : undefined
      expect(statesIn(changes).get(q(1))).toEqual(folded)
      const right = changes.reduce((sum, each) => sum + (each.kind === 'day' ? each.body.right : 0), 0)
      expect(right).toBe(standing(marked).filter((fact) => fact.kind === 'answer' && fact.right).length)
    }),
    { numRuns: 15 },
  )
})

describe('statistics', () => {
  const stats = () => server.call(contract.question.stats, { no: bank.chapters[0]?.no ?? '' })
  const count = async () => {
    while (await tallyChunk(server.db));
  }

  test('are shown from twenty students on, by first answers, and follow a corrected key', async () => {
    const students = await Promise.all(Array.from({ length: 20 }, () => server.student()))
    const [last, ...others] = students
    if (!last) throw new Error('twenty students')
    for (const [i, who] of others.entries()) await sync(who, [answer(1, i < 9 ? 'B' : i < 16 ? 'C' : 'A')])
    await count()
    expect(await stats()).toEqual([])
    await sync(last, [answer(1, 'D'), answer(1, 'B', { clientAt: server.clock.now - 1 })])
    await sync(last, [answer(1, 'D')])
    await Promise.all([count(), count()])
    expect(await stats()).toEqual([{ no: q(1), students: 20, right: 50, wrong: 'C' }])
    await change(1, { answer: 'C' })
    expect(await stats()).toEqual([{ no: q(1), students: 20, right: 35, wrong: 'B' }])
    await change(1, { stem: '另一道题：1 加 1 等于多少？' })
    expect(await stats()).toEqual([])
  })

  test('of blanks count by how they are marked today', async () => {
    const { answer: _, options: _o, ...plain } = bank.questions[0] ?? ({} as Source)
    const blank = { ...plain, type: 'blank', stem: '南昌起义发生于____年。', answer: '1927' }
    const asBlank = (text: string) =>
      importBank(server.db, server.mediaDir, { ...bank, questions: [{ ...blank, answer: text }] })
    await asBlank('1927')
    const fill = (text: string) =>
      op(
        'answer',
        { questionNo: q(1), response: { kind: 'blank', texts: [text] }, spentMs: 1, from: 'library', version: 2 },
        { v: 2 },
      )
    for (let i = 0; i < 20; i++) await sync(await server.student(), [fill(i < 5 ? '1927' : '二七')])
    await count()
    expect(await stats()).toEqual([{ no: q(1), students: 20, right: 25 }])
    await asBlank('1927|二七')
    await remarkAll()
    await count()
    expect(await stats()).toEqual([{ no: q(1), students: 20, right: 100 }])
  })
})

describe('纠错', () => {
  const report = (n: number, text = '应选 C') => op('report', { questionNo: q(n), version: 1, reason: 'answer', text })
  const reportsOf = async (who: Student) =>
    (await sync(who)).changes.flatMap((each) => (each.kind === 'report' ? [each.body] : []))
  const open = async () => (await openReports(server.db)).filter(({ libraryNo }) => libraryNo === bank.library.no)

  test('is listed by question, and answered for every reporter at once', async () => {
    const [a, b] = [await server.student(), await server.student()]
    await sync(a, [report(1), report(2)])
    const before = await sync(b, [report(1, '选项 C 才对')])
    expect(await open()).toMatchObject([
      {
        questionNo: q(1),
        count: 2,
        stem: expect.stringContaining('第1章第1题'),
        reports: [{}, { text: '选项 C 才对' }],
      },
      { questionNo: q(2), count: 1 },
    ])
    const at = server.clock.now
    expect(await answerReports(server.db, [q(1)], { status: 'declined', reply: '答案无误', at })).toBe(2)
    expect(await answerReports(server.db, [q(1)], { status: 'fixed', reply: '再答一次', at })).toBe(0)
    expect((await sync(b, [], before.cursor)).changes).toMatchObject([
      { kind: 'report', body: { questionNo: q(1), status: 'declined', reply: '答案无误', answeredAt: at } },
    ])
    expect((await reportsOf(a)).map(({ status }) => status).sort()).toEqual(['declined', 'received'])
    expect((await open()).map(({ questionNo }) => questionNo)).toEqual([q(2)])
  })

  test('is answered by an import that changes the question, when the operator says so, and by no other', async () => {
    const who = await server.student()
    await sync(who, [report(1), report(2)])
    await change(1, { answer: 'C' })
    expect((await reportsOf(who)).map(({ status }) => status)).toEqual(['received', 'received'])
    bank.questions = bank.questions.map((each, i) => (i === 0 ? { ...each, answer: 'D' } : each))
    await importBank(server.db, server.mediaDir, bank, { at: server.clock.now, reply: '已改为 D' })
    expect(await reportsOf(who)).toMatchObject([
      { questionNo: q(2), status: 'received' },
      { questionNo: q(1), status: 'fixed', reply: '已改为 D' },
    ])
  })

  test('answered while the reporter’s own batches come in, every device gets both', async () => {
    const who = await server.student()
    await sync(who, [report(1)])
    const { cursor } = await sync(who)
    await Promise.all([
      answerReports(server.db, [q(1)], { status: 'fixed', reply: '谢谢', at: server.clock.now }),
      ...[1, 2, 3, 4].map((n) => sync(who, [answer(n, 'B')])),
    ])
    const { changes } = await sync(who, [], cursor)
    expect(statesIn(changes).size).toBe(4)
    expect(changes.filter(({ kind }) => kind === 'report')).toMatchObject([{ body: { status: 'fixed' } }])
  })
})
