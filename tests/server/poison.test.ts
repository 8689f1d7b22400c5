import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { OpRecord } from '#src/contract/study.ts'
import { encodeForm } from '#src/contract/wire.ts'
import { syncAs } from '#tests/support/ops.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { statesIn } from '#tests/support/states.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const bank = bankJson()
  const essays = [{ no: 'L_e1', chapter: 'L_c1', type: 'essay', stem: '简述', answer: '三条', scoring: [] }]
  await importBank(server.db, server.mediaDir, { ...bank, questions: [...bank.questions, ...essays] })
})
afterAll(() => server.close())

let seq = 0
function op(response: unknown, over: Partial<OpRecord> = {}, questionNo = 'L_q1'): OpRecord {
  return {
    opId: randomUUID(),
    seq: ++seq,
    stream: 'q:L_q1',
    kind: 'answer',
    v: 1,
    payload: { questionNo, response, spentMs: 1000, from: 'library' },
    ctx: { sg_key: 'jg', area: '0', key: 'jg' },
    clientAt: server.clock.now,
    ...over,
  }
}
const essay = (text: string) => op({ kind: 'essay', text, ticked: [] }, {}, 'L_e1')
const sync = (who: { uid: string; token: string }, ops: OpRecord[]) => syncAs(server, who, ops)

// One such op would otherwise fail its batch at every attempt: nothing behind it would ever reach the server.
describe('an op that the database cannot hold as it is never blocks the others', () => {
  test.each([
    ['half an emoji, as a length limit cuts it', () => essay('加油\ud83d'), 'applied', '加油\ufffd'],
    ['the other half', () => essay('\ude00加油'), 'applied', '\ufffd加油'],
    ['a NUL, as some documents paste it', () => essay('甲\u0000乙'), 'applied', '甲\ufffd乙'],
    ['a whole emoji, kept as it is', () => essay('加油😀'), 'applied', '加油😀'],
    ['a text that only looks like an escape', () => essay('\\u0000 \\\\ud83d \\'), 'applied', '\\u0000 \\\\ud83d \\'],
    ['half an emoji in a payload that is refused', () => op(null, { payload: { x: '\ud83d' } }), 'rejected', null],
    ['a NUL in the name of a stream', () => op({ kind: 'choice', ids: ['B'] }, { stream: 'q\u0000' }), 'applied', null],
    ['no payload at all', () => op(null, { payload: null }), 'rejected', null],
    ['a payload that is a list', () => op(null, { payload: [1] }), 'rejected', null],
    ['a payload that is a text', () => op(null, { payload: 'null' }), 'rejected', null],
  ])('%s', async (_, make, verdict, text) => {
    const who = await server.student()
    const ops = [make(), op({ kind: 'choice', ids: ['B'] }, { clientAt: server.clock.now - 1000 })]
    const first = await sync(who, ops)
    expect(first.verdicts.map((each) => each.verdict)).toEqual([verdict, 'applied'])
    const again = await sync(who, ops)
    expect(again.verdicts.map((each) => each.verdict)).toEqual([
      verdict === 'applied' ? 'duplicate' : verdict,
      'duplicate',
    ])
    const states = statesIn(again.changes)
    expect(states.get('L_q1')).toMatchObject({ lastRight: true })
    expect(states.get('L_e1')?.lastResponse).toEqual(text === null ? undefined : { kind: 'essay', text, ticked: [] })
    const stored = await sql<{ n: number }>`select count(*)::int as n from study_op where uid = ${who.uid}`.execute(
      server.db,
    )
    expect(stored.rows).toEqual([{ n: 2 }])
  })
})

test('an op whose payload holds lists in lists without end is refused, and the ones behind it are taken', async () => {
  const who = await server.student()
  const ops = [op('HERE'), op(null, { payload: 'HERE' }), op({ kind: 'choice', ids: ['B'] })]
  const fields = { device: randomUUID(), owner: who.uid, proto: 1, sentAt: server.clock.now, cursor: 0, ops }
  const deep = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`
  const form = encodeForm(fields)
  const sent = { ...form, ops: form['ops']?.replaceAll('"HERE"', deep) ?? '' }
  const send = async () => {
    const answer = await server.app.inject({
      method: 'POST',
      url: `/pcapi/${contract.study.sync.path}`,
      headers: { authorization: who.token, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(sent).toString(),
    })
    const { data }: { data: { verdicts: { verdict: string }[] } } = answer.json()
    return data.verdicts.map(({ verdict }) => verdict)
  }
  expect(await send()).toEqual(['rejected', 'rejected', 'applied'])
  expect(await send()).toEqual(['rejected', 'rejected', 'duplicate'])
})
