import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { OpRecord } from '#src/contract/study.ts'
import { byTime } from '#src/domain/study/moment.ts'
import { firstAnswers } from '#server/db/migrations/0009-first-answers.ts'
import { tallyChunk } from '#server/study/jobs.ts'
import { remarkSome } from '#server/study/remark.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { walk } from '#tests/support/jobs.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
let who: Awaited<ReturnType<TestServer['student']>>
let banks = 0
let no: string
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  who = await server.student()
  no = `F${++banks}_q1`
  await importBank(server.db, server.mediaDir, bankJson({ prefix: `F${banks}`, chapters: 1, perChapter: 1 }))
})

const device = randomUUID()
let seq = 0
const op = (kind: string, v: number, payload: object, clientAt = ++server.clock.now): OpRecord => ({
  opId: randomUUID(),
  seq: ++seq,
  stream: `q:${no}`,
  kind,
  v,
  payload: { questionNo: no, ...payload },
  ctx: { sg_key: 'jg', area: '0', key: 'jg' },
  clientAt,
})
const answer = (response: object, at?: number) =>
  op('answer', 2, { response, spentMs: 1, from: 'library', version: 1 }, at)
const choose = (id: string, at?: number) => answer({ kind: 'choice', ids: [id] }, at)
const fill = (text: string, at?: number) => answer({ kind: 'blank', texts: [text] }, at)
const retract = ({ opId }: OpRecord) => op('retract', 1, { target: opId })
const sync = (ops: OpRecord[]) =>
  server.call(
    contract.study.sync,
    { device, owner: who.uid, proto: 1, sentAt: server.clock.now, cursor: 0, ops },
    who.token,
  )
/** By what was chosen: how many students, and how many of them right. */
async function counted(): Promise<Record<string, [number, number]>> {
  while (await tallyChunk(server.db));
  const { rows } = await sql<{ pick: string; n: number; right: number }>`
    select pick, n, "right" from tally where question_no = ${no} and (n <> 0 or "right" <> 0)`.execute(server.db)
  return Object.fromEntries(rows.map(({ pick, n, right }) => [pick, [n, right]]))
}

test('an answer that is taken back is not counted, and the one after it once', async () => {
  const first = choose('C')
  await sync([first])
  expect(await counted()).toEqual({ C: [1, 0] })
  await sync([retract(first)])
  expect(await counted()).toEqual({})
  await sync([choose('B')])
  await sync([choose('A')])
  expect(await counted()).toEqual({ B: [1, 1] })
})

test('answered, taken back and answered in one batch counts the last one', async () => {
  const first = choose('C')
  await sync([first, retract(first), choose('D')])
  expect(await counted()).toEqual({ D: [1, 0] })
})

test('with the first one taken back the next one is the first', async () => {
  const [first, second] = [choose('C'), choose('B')]
  await sync([first])
  await sync([second])
  await sync([retract(first)])
  expect(await counted()).toEqual({ B: [1, 1] })
})

test('an earlier answer that comes late takes the place of the one that was counted', async () => {
  const at = ++server.clock.now
  await sync([choose('C')])
  await sync([choose('B', at - 1)])
  expect(await counted()).toEqual({ B: [1, 1] })
})

test('a corrected blank moves the mark of the first answer that stands', async () => {
  const { questions, ...bank } = bankJson({ prefix: `F${banks}`, chapters: 1, perChapter: 1 })
  const { options: _, ...plain } = questions[0] ?? { options: [] }
  const asBlank = (text: string) =>
    importBank(server.db, server.mediaDir, {
      ...bank,
      questions: [{ ...plain, no: `F${banks}_b`, type: 'blank', stem: '建军于____年', answer: text }],
    })
  await asBlank('1927')
  no = `F${banks}_b`
  const first = fill('1927')
  await sync([first])
  await sync([fill('二七')])
  await sync([retract(first)])
  expect(await counted()).toEqual({ '': [1, 0] })
  await asBlank('二七')
  while (await remarkSome(server.db, walk(server.clock.now)));
  expect(await counted()).toEqual({ '': [1, 1] })
})

test('whatever is answered and taken back, in whichever order it comes: one student, the earliest answer that stands', async () => {
  const acts = fc.array(
    fc.oneof(
      { weight: 2, arbitrary: fc.record({ pick: fc.constantFrom('A', 'B', 'C'), age: fc.nat(50) }) },
      fc.record({ back: fc.nat(4) }),
    ),
    { minLength: 1, maxLength: 10 },
  )
  await fc.assert(
    fc.asyncProperty(acts, fc.nat(3), async (list, size) => {
      who = await server.student()
      await sql`delete from tally`.execute(server.db)
      await sql`delete from study_op where question_no = ${no}`.execute(server.db)
      let standing: (OpRecord & { pick: string })[] = []
      let batch: OpRecord[] = []
      for (const act of list) {
        server.clock.now += 100
        const target = 'back' in act ? standing[act.back] : undefined
        if (target) {
          standing = standing.filter((each) => each !== target)
          batch.push(retract(target))
        }
        if ('pick' in act) {
          const one = choose(act.pick, server.clock.now - act.age * 50)
          standing.push({ ...one, pick: act.pick })
          batch.push(one)
        }
        if (batch.length > size) await sync(batch.splice(0))
      }
      if (batch.length > 0) await sync(batch)
      const [first] = standing.map((each) => ({ ...each, at: each.clientAt })).sort(byTime)
      const expected = first ? { [first.pick]: [1, first.pick === 'B' ? 1 : 0] } : {}
      expect(await counted()).toEqual(expected)
      await sql`update tally set n = n + 3`.execute(server.db)
      await firstAnswers.up(server.db)
      expect(await counted(), 'counted anew').toEqual(expected)
    }),
    { numRuns: 30 },
  )
})
