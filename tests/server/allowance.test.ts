import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { OpRecord } from '#src/contract/study.ts'
import { encodeForm } from '#src/contract/wire.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { eventually } from '#tests/support/eventually.ts'
import { answerOp, opOf, syncAs } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { statesIn } from '#tests/support/states.ts'

/** One student must not stall all others, whatever they send. */
let server: TestServer
let who: { uid: string; token: string }
let seq: number
beforeAll(async () => {
  server = await startServer()
  const bank = bankJson()
  const others = [
    { no: 'L_e1', chapter: 'L_c1', type: 'essay', stem: '简述', answer: '三条', scoring: [] },
    { no: 'L_b1', chapter: 'L_c1', type: 'blank', stem: '一加一等于____', answer: '二' },
  ]
  await importBank(server.db, server.mediaDir, { ...bank, questions: [...bank.questions, ...others] })
})
afterAll(() => server.close())
beforeEach(async () => {
  who = await server.student()
  seq = 0
})

const moment = (secondsAgo = 0) => ({ seq: ++seq, at: server.clock.now - secondsAgo * 1000 })
const sync = (...ops: OpRecord[]) => syncAs(server, who, ops)
const verdicts = async (...ops: OpRecord[]) =>
  (await sync(...ops)).verdicts.map((each) => ('code' in each ? each.code : each.verdict))
const right = (no: string, secondsAgo = 0) => answerOp(no, true, moment(secondsAgo))
const note = (questionNo: string) => opOf('note', { questionNo, text: '记一笔', over: [] }, moment())
const essay = (text: string, questionNo = 'L_e1', secondsAgo = 0) =>
  opOf(
    'answer',
    { questionNo, response: { kind: 'essay', text, ticked: [0] }, spentMs: 1000, from: 'library', version: 1 },
    moment(secondsAgo),
  )
const blank = (texts: string[]) =>
  opOf(
    'answer',
    { questionNo: 'L_b1', response: { kind: 'blank', texts }, spentMs: 1000, from: 'library', version: 1 },
    moment(),
  )
/** To a question with one right option. */
const choice = (ids: string[]) =>
  opOf(
    'answer',
    { questionNo: 'L_q1', response: { kind: 'choice', ids }, spentMs: 1000, from: 'library', version: 1 },
    moment(),
  )
const hits = (key: string, count: number) =>
  server.db.insertInto('rate').values({ key: `study-${key}:${who.uid}`, window_start: server.clock.now, hits: count })

/** So many answers to a question that the server has taken earlier, an hour ago. */
const taken = (questionNo: string, count: number) =>
  sql`insert into study_op (uid, op_id, device, seq, stream, kind, v, payload, payload_hash, ctx, client_at, effective_at,
        verdict, "right", question_no, created_at)
      select ${who.uid}, gen_random_uuid(), ${randomUUID()}, n, 'q', 'answer', 2,
        ${JSON.stringify(right(questionNo).payload)}::jsonb, 'x', '{}', 0, ${server.clock.now - 3_600_000}::bigint + n, 'applied', true, ${questionNo}, 0
      from generate_series(1, ${count}) n`.execute(server.db)

describe('a response is one to its question', () => {
  test('else it is refused with the reason, and the others of its batch are taken', async () => {
    expect(
      await verdicts(
        essay('长文', 'L_q1'),
        blank(['二', '三']),
        choice(['A', 'B']),
        blank(['二']),
        essay('三条'),
        right('L_q1'),
      ),
    ).toEqual(['unfitting', 'unfitting', 'unfitting', 'applied', 'applied', 'applied'])
  })

  test('also to what was asked before the question was changed', async () => {
    const asked = (stem: string, answer: string) => ({
      ...bankJson({ prefix: 'M', chapters: 1, perChapter: 0 }),
      questions: [{ no: 'M_b1', chapter: 'M_c1', type: 'blank', stem, answer }],
    })
    await importBank(server.db, server.mediaDir, asked('一加一等于____，一加二等于____', '二；三'))
    await importBank(server.db, server.mediaDir, asked('一加一等于____', '二'))
    const given = (texts: string[], version: number) =>
      opOf(
        'answer',
        { questionNo: 'M_b1', response: { kind: 'blank', texts }, spentMs: 1000, from: 'library', version },
        moment(),
      )
    expect(await verdicts(given(['二', '三'], 1), given(['二'], 2), given(['一', '二', '三'], 1))).toEqual([
      'applied',
      'applied',
      'unfitting',
    ])
  })
})

describe('essays that are folded again', () => {
  test('show the text of the last one, also when an earlier one comes late', async () => {
    await sync(essay('后写的', 'L_e1', 60))
    const { changes } = await sync(essay('先写的', 'L_e1', 120))
    expect(statesIn(changes).get('L_e1')).toMatchObject({ times: 2, lastResponse: { text: '后写的' } })
  })

  test('show the text before it again when the last one is taken back', async () => {
    const [first, last] = [essay('先写的', 'L_e1', 120), essay('后写的', 'L_e1', 60)]
    await sync(first)
    await sync(last)
    const { changes } = await sync(opOf('retract', { questionNo: 'L_e1', target: last.opId }, moment()))
    expect(statesIn(changes).get('L_e1')).toMatchObject({ times: 1, lastResponse: { text: '先写的' } })
  })
})

describe('a student’s own day', () => {
  test('has an end: what is stored beyond it is asked for later, and taken on the next day', async () => {
    await sync(right('L_q1'))
    await server.db.updateTable('rate').set({ hits: 59_999 }).where('key', '=', `study-ops:${who.uid}`).execute()
    const ops = [right('L_q2'), right('L_q3')]
    const { verdicts: said } = await sync(...ops)
    expect(said).toMatchObject([{ verdict: 'applied' }, { verdict: 'retry', afterMs: 3_600_000 }])
    server.clock.now += 86_400_000
    expect(await verdicts(...ops)).toEqual(['duplicate', 'applied'])
  })

  test('holds forty million characters', async () => {
    await sync(essay('一'))
    await server.db.updateTable('rate').set({ hits: 39_990_000 }).where('key', '=', `study-size:${who.uid}`).execute()
    expect(await verdicts(essay('长'.repeat(15_000)), essay('短'))).toEqual(['retry', 'applied'])
  })

  test('counts only what is stored, and each op once', async () => {
    const ops = [right('L_q1'), right('L_q2')]
    await sync(...ops)
    await sync(...ops)
    const counted = await server.db
      .selectFrom('rate')
      .select('hits')
      .where('key', '=', `study-ops:${who.uid}`)
      .execute()
    expect(counted).toEqual([{ hits: 2 }])
  })
})

describe('what was done with one question', () => {
  test('has an end that nobody reaches by studying', async () => {
    await taken('L_q1', 1_999)
    await taken('L_q2', 2_000)
    expect(await verdicts(right('L_q1'), right('L_q2'))).toEqual(['applied', 'too_many'])
  })

  test('is folded again a few thousand ops at a time: the rest of a batch comes with the next', async () => {
    await taken('L_q1', 1_600)
    await taken('L_q2', 1_600)
    const ops = [note('L_q1'), note('L_q2'), right('L_q3')]
    const first = await verdicts(...ops)
    expect(first.toSorted()).toEqual(['applied', 'applied', 'retry'])
    expect((await verdicts(...ops)).toSorted()).toEqual(['applied', 'duplicate', 'duplicate'])
  })

  test('is not folded again once the student’s share of that is used up, while what goes on from it is taken', async () => {
    await taken('L_q1', 300)
    await hits('folded', 100_000).execute()
    const ops = [note('L_q1'), right('L_q3'), opOf('cause', { questionNo: 'L_q3', cause: 'guess' }, moment())]
    expect(await verdicts(...ops)).toEqual(['retry', 'applied', 'applied'])
    server.clock.now += 600_000
    expect((await verdicts(...ops))[0]).toBe('applied')
  })
})

describe('calls', () => {
  const call = ({ uid, token } = who, ops: OpRecord[] = []) =>
    server.app.inject({
      method: 'POST',
      url: `/pcapi/${contract.study.sync.path}`,
      headers: { authorization: token, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(
        encodeForm({ device: randomUUID(), owner: uid, proto: 1, sentAt: server.clock.now, cursor: 0, ops }),
      ).toString(),
    })

  test('of one student are answered one after another, a few wait, and more are told to come later', async () => {
    const other = await server.student()
    const codes: number[] = []
    const all = await server.db.transaction().execute(async (tx) => {
      await tx.selectFrom('student').select('uid').where('uid', '=', who.uid).forUpdate().execute()
      const calls = Array.from({ length: 20 }, () => call(who, [right('L_q1')]))
      for (const each of calls) void each.then(({ statusCode }) => codes.push(statusCode))
      await eventually(() => expect(codes).toHaveLength(15))
      expect((await call(other, [right('L_q1')])).statusCode).toBe(200)
      return calls
    })
    const answers = await Promise.all(all)
    expect(codes.slice(0, 15)).toEqual(Array.from({ length: 15 }, () => 503))
    expect(codes.slice(15)).toEqual([200, 200, 200, 200, 200])
    expect(answers.find(({ statusCode }) => statusCode === 503)?.headers['retry-after']).toBe('2')
  })

  test('of one student are told to come later beyond four hundred a minute; another student’s are not', async () => {
    for (let i = 0; i < 400; i++) expect((await call()).statusCode).toBe(200)
    const late = await call()
    expect(late.statusCode).toBe(429)
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
    expect((await call(await server.student())).statusCode).toBe(200)
  })
})
