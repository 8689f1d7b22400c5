import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { Change, OpRecord } from '#src/contract/study.ts'
import { SYNC_PAGE } from '#src/contract/sync.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { type Fact, fold } from '#src/domain/study/study.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { answerOp, opOf } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { placeIn, statesIn } from '#tests/support/states.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson())
})
afterAll(() => server.close())

const device = randomUUID()
function answer(seq: number, questionNo: string, ids: string[], over: Partial<OpRecord> = {}): OpRecord {
  const payload = { questionNo, response: { kind: 'choice', ids }, spentMs: 1000, from: 'library' }
  return {
    opId: randomUUID(),
    seq,
    stream: `q:${questionNo}`,
    kind: 'answer',
    v: 1,
    payload,
    ctx: { sg_key: 'jg', area: '0', key: 'jg' },
    clientAt: server.clock.now,
    ...over,
  }
}
const sync = (
  who: { uid: string; token: string },
  ops: OpRecord[],
  over: Partial<Parameters<typeof server.call<typeof contract.study.sync>>[1]> = {},
) =>
  server.call(
    contract.study.sync,
    { device, owner: who.uid, proto: 1, sentAt: server.clock.now, cursor: 0, ops, ...over },
    who.token,
  )
const states = (changes: Change[]) => Object.fromEntries(statesIn(changes))
const count = async (uid: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from study_op where uid = ${uid}`.execute(server.db)).rows[0]?.n

describe('exactly once', () => {
  test('the same batch replayed again and again, also at once, is stored once and answered as duplicate', async () => {
    const who = await server.student()
    const ops = [answer(1, 'L_q1', ['B']), answer(2, 'L_q2', ['A'])]
    await sync(who, ops)
    const again = await Promise.all(Array.from({ length: 5 }, () => sync(who, ops)))
    for (const { verdicts } of again) expect(verdicts.map((each) => each.verdict)).toEqual(['duplicate', 'duplicate'])
    expect(await count(who.uid)).toBe(2)
    expect(states(again[0]?.changes ?? [])).toMatchObject({
      L_q1: { times: 1, wrong: 0, streak: 1 },
      L_q2: { times: 1, wrong: 1, streak: 0 },
    })
  })

  test('an op twice in one batch is one op', async () => {
    const who = await server.student()
    const op = answer(1, 'L_q1', ['B'])
    const { verdicts, changes } = await sync(who, [op, op])
    expect(verdicts.map((each) => each.verdict)).toEqual(['applied', 'duplicate'])
    expect(states(changes).L_q1?.times).toBe(1)
  })

  test('the same id with another content is a conflict, and the first stays', async () => {
    const who = await server.student()
    const op = answer(1, 'L_q1', ['B'])
    await sync(who, [op])
    const { verdicts, changes } = await sync(who, [{ ...op, clientAt: op.clientAt - 5 }])
    expect(verdicts).toMatchObject([{ verdict: 'rejected', code: 'conflict', msg: '同一编号的记录内容不同' }])
    expect(states(changes).L_q1).toMatchObject({ times: 1, lastRight: true })
  })

  test('two students with the same op id do not touch each other', async () => {
    const [a, b] = [await server.student(), await server.student()]
    const op = answer(1, 'L_q1', ['B'])
    expect((await sync(a, [op])).verdicts).toMatchObject([{ verdict: 'applied' }])
    expect((await sync(b, [op])).verdicts).toMatchObject([{ verdict: 'applied' }])
  })
})

test('an answer holds what the contract names and nothing else, read or just written', async () => {
  const who = await server.student()
  await sync(who, [answer(1, 'L_q1', ['B'])])
  const output = await sync(who, [answer(2, 'L_q2', ['A']), answer(3, 'nowhere_1', ['B'])])
  expect(output.changes.map(({ kind }) => kind).sort()).toEqual(['day', 'state', 'state'])
  expect(v.parse(contract.study.sync.output, output)).toEqual(output)
})

describe('one bad op never blocks the others', () => {
  test('unknown kinds are left to a newer server, invalid and unknown ones are refused for good', async () => {
    const who = await server.student()
    const ops = [
      answer(1, 'L_q1', ['B'], { kind: 'teleport' }),
      answer(2, 'L_q1', ['B'], { payload: { questionNo: 'L_q1' } }),
      answer(3, 'nowhere_1', ['B']),
      answer(4, 'L_q1', ['B']),
    ]
    const expected = [
      { verdict: 'unsupported' },
      { verdict: 'rejected', code: 'invalid' },
      { verdict: 'rejected', code: 'unknown_question' },
    ]
    expect((await sync(who, ops)).verdicts).toMatchObject([...expected, { verdict: 'applied' }])
    expect((await sync(who, ops)).verdicts).toMatchObject([...expected, { verdict: 'duplicate' }])
  })
})

describe('whose ops', () => {
  test('a batch made by another student is refused whole', async () => {
    const [a, b] = [await server.student(), await server.student()]
    const envelope = await server.ask(
      contract.study.sync,
      { device, owner: a.uid, proto: 1, sentAt: 0, cursor: 0, ops: [answer(1, 'L_q1', ['B'])] },
      b.token,
    )
    expect(envelope).toMatchObject({ status: 0, msg: '登录账号与待同步记录不一致，请登录原账号后再同步' })
    expect(await count(a.uid)).toBe(0)
  })

  test('an expired token is status 2, and nothing is stored', async () => {
    const who = await server.student()
    server.clock.now += 31 * 86_400_000
    const envelope = await server.ask(
      contract.study.sync,
      { device, owner: who.uid, proto: 1, sentAt: 0, cursor: 0, ops: [answer(1, 'L_q1', ['B'])] },
      who.token,
    )
    expect(envelope.status).toBe(2)
    expect(await count(who.uid)).toBe(0)
  })
})

test('any arrival order over two devices gives the state that the domain folds', async () => {
  const questions = ['L_q1', 'L_q2', 'L_q3']
  const facts = fc.array(
    fc.record({
      question: fc.nat(2),
      act: fc.oneof(
        fc.record({ kind: fc.constant('answer' as const), right: fc.boolean() }),
        fc.record({ kind: fc.constant('book' as const), in: fc.boolean() }),
        fc.record({ kind: fc.constant('cause' as const), cause: fc.constantFrom('guess' as const, '' as const) }),
        fc.record({ kind: fc.constant('note' as const), text: fc.constantFrom('记一笔', '') }),
      ),
      age: fc.nat(100_000),
      device: fc.nat(1),
    }),
    { minLength: 1, maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(facts, fc.infiniteStream(fc.nat(1000)), async (list, shuffle) => {
      const who = await server.student()
      const { now } = server.clock
      const made = list.map(({ question, act, age, device: no }, i) => {
        const questionNo = questions[question] ?? ''
        const moment = { seq: i + 1, at: now - age }
        const op =
          act.kind === 'answer'
            ? answerOp(questionNo, act.right, moment)
            : act.kind === 'book'
              ? opOf('book', { questionNo, in: act.in }, moment)
              : act.kind === 'cause'
                ? opOf('cause', { questionNo, cause: act.cause }, moment)
                : opOf('note', { questionNo, text: act.text, over: [] }, moment)
        const { opId, payload } = op
        // What this test has just made.
        const fact = { ...(payload as object), kind: act.kind, opId, at: now - age } as Fact
        return { op, no, fact: act.kind === 'answer' ? { ...fact, right: act.right } : fact }
      })
      const order = made.map((each) => ({ each, key: shuffle.next().value ?? 0 })).sort((a, b) => a.key - b.key)
      let last: Change[] = []
      for (const { each } of order)
        last = (await sync(who, [each.op], { device: each.no ? device : randomUUID() })).changes
      for (const questionNo of questions) {
        const own = made.flatMap(({ fact }) => (fact.questionNo === questionNo ? [fact] : []))
        const expected = own.length > 0 ? fold(questionNo, own, placeIn()) : undefined
        expect(states(last)[questionNo]).toEqual(expected)
      }
    }),
    { numRuns: 40 },
  )
})

test('a second device pulls everything in pages, and writers meanwhile never make it skip', async () => {
  const who = await server.student()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'BIG', chapters: 1, perChapter: 1200 }))
  const all = Array.from({ length: 1200 }, (_, i) => answer(i + 1, `BIG_q${i + 1}`, ['B']))
  for (let i = 0; i < 1100; i += 100) await sync(who, all.slice(i, i + 100))
  const pulled = new Set<string>()
  const pull = async () => {
    let cursor = 0
    for (let more = true; more;) {
      const page = await sync(who, [], { device: randomUUID(), cursor })
      for (const no of statesIn(page.changes).keys()) pulled.add(no)
      ;({ cursor, more } = page)
    }
    return cursor
  }
  const [cursor] = await Promise.all([pull(), sync(who, all.slice(1100))])
  for (const no of statesIn((await sync(who, [], { cursor })).changes).keys()) pulled.add(no)
  expect(pulled.size).toBe(1200)
})

test('an answer sent while more than a page is waiting never comes back as its older state', async () => {
  const who = await server.student()
  const wide = SYNC_PAGE + 200
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'WIDE', chapters: 1, perChapter: wide }))
  const all = Array.from({ length: wide }, (_, i) => answer(i + 1, `WIDE_q${i + 1}`, ['A']))
  for (let i = 0; i < wide; i += 100) await sync(who, all.slice(i, i + 100))
  const fresh = randomUUID()
  server.clock.now += 1_000
  const first = await sync(who, [answer(1, 'WIDE_q7', ['B'])], { device: fresh })
  expect(first.more).toBe(true)
  expect(states(first.changes)).not.toHaveProperty('WIDE_q7')
  const last = await sync(who, [], { device: fresh, cursor: first.cursor })
  expect(last.more).toBe(false)
  expect(states(last.changes).WIDE_q7).toMatchObject({ times: 2, wrong: 1, lastRight: true })
  expect(statesIn([...first.changes, ...last.changes]).size).toBe(wide)
})

test('a clock that is a year behind changes nothing, and one ahead cannot answer in the future', async () => {
  const who = await server.student()
  const { now } = server.clock
  const year = 365 * 86_400_000
  const behind = await sync(who, [answer(1, 'L_q1', ['B'], { clientAt: now - year - 60_000 })], { sentAt: now - year })
  expect(states(behind.changes).L_q1?.lastAt).toBe(now - 60_000)
  const ahead = await sync(who, [answer(2, 'L_q2', ['B'], { clientAt: now + year })], { sentAt: now })
  expect(states(ahead.changes).L_q2?.lastAt).toBe(now)
})

test('an answer that says it is older than any device can be is taken as 400 days old', async () => {
  const who = await server.student()
  const { now } = server.clock
  const { changes } = await sync(who, [answer(1, 'L_q1', ['B'], { clientAt: now - 4_000 * 86_400_000 })])
  const oldest = now - 400 * 86_400_000
  expect(states(changes).L_q1?.lastAt).toBe(oldest)
  expect(changes.find(({ kind }) => kind === 'day')).toMatchObject({ id: String(dayOf(oldest)) })
})

test('the contiguous mark stops at a hole and moves on when it is filled', async () => {
  const who = await server.student()
  const ops = [1, 2, 3, 4].map((seq) => answer(seq, 'L_q1', ['B']))
  const [one, two, three, four] = ops
  if (!one || !two || !three || !four) throw new Error('four ops')
  expect((await sync(who, [one, three])).ackSeq).toBe(1)
  expect((await sync(who, [four])).ackSeq).toBe(1)
  expect((await sync(who, [two])).ackSeq).toBe(4)
})
