import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { OpRecord } from '#src/contract/study.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { importDemo } from '#server/demo/demo.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { plainOps, syncAs } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { statesIn } from '#tests/support/states.ts'

const DAY = 86_400_000
const JG = { sg_key: 'jg', area: '0' }
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

let banks = 0
let no: string
let set: string
/** Each test has a library for sets alone, and a paid set of fourteen of its questions in two papers. */
beforeEach(async () => {
  no = `R${++banks}`
  set = `${no}_S`
  await importBank(server.db, server.mediaDir, bank())
  await publish(server.db, paidSet())
})
const bank = (setsOnly = true) => {
  const plain = bankJson({ prefix: no, chapters: 1, perChapter: 20 })
  return { ...plain, library: { ...plain.library, setsOnly } }
}
const nos = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `${no}_q${from + i}`)
const paidSet = (papers = [[nos(1, 12)], [nos(13, 14)]]) => ({ ...setJson({ no: set, papers }), price: 1990 })

type Who = { uid: string; token: string }
const op = plainOps(() => server.clock.now)
const sync = (who: Who, ops: OpRecord[]) => syncAs(server, who, ops)
const collect = (who: Who, list: string[]) =>
  sync(
    who,
    list.map((questionNo) => op('collect', 1, { questionNo, folder: '', over: [] })),
  )
const some = async (who: Who, list: string[]) =>
  (await server.call(contract.question.some, { nos: list }, who.token))
    .map(({ question }) => question.no)
    .sort((a, b) => list.indexOf(a) - list.indexOf(b))
const seen = async (who: Who | null, itemNo: string) =>
  (await server.call(contract.questionSet.paper, { no: set, itemNo }, who?.token)).sections
    .flatMap(({ entries }) => entries.flatMap(({ question }) => partsOf(question)))
    .map((part) => part.no)
const buy = ({ uid }: Who, until = server.clock.now + 30 * DAY) =>
  server.db.insertInto('entitlement').values({ uid, kind: 'set', no: set, until }).execute()

describe('a library for sets alone', () => {
  test('is in no list, chapter, block, pack or download', async () => {
    const chapter = `${no}_c1`
    const { rows } = await sql<{ rev: string }>`select rev from block where chapter_no = ${chapter}`.execute(server.db)
    const { libraryList, chapter: outline, block, blocks, pack } = contract.question
    expect((await server.call(libraryList, {}, '', JG)).map((library) => library.no)).not.toContain(no)
    const gone = { status: 0, msg: '题库不存在或已下架，请返回看看其他题库' }
    expect(await server.ask(outline, { no })).toMatchObject(gone)
    expect(await server.ask(outline, { no: chapter })).toMatchObject(gone)
    expect(await server.ask(block, { no: chapter, at: 0 })).toMatchObject(gone)
    expect(await server.ask(pack, { no })).toMatchObject(gone)
    expect(await server.call(blocks, { list: [{ no: chapter, at: 0, rev: rows[0]?.rev ?? '' }] })).toEqual([])
  })

  test('opened later is a library like any other, and closed again takes nothing out of a record', async () => {
    const who = await server.student()
    await collect(who, nos(20, 20))
    expect(await some(who, nos(20, 20))).toEqual([])
    await importBank(server.db, server.mediaDir, bank(false))
    expect((await server.call(contract.question.libraryList, {}, '', JG)).map((library) => library.no)).toContain(no)
    expect(await server.call(contract.question.pack, { no })).toMatchObject({ total: 20 })
    await importBank(server.db, server.mediaDir, bank(true))
    expect((await server.call(contract.question.libraryList, {}, '', JG)).map((library) => library.no)).not.toContain(
      no,
    )
    expect(await server.ask(contract.question.pack, { no })).toMatchObject({ status: 0 })
    expect(await some(who, nos(20, 20))).toEqual(nos(20, 20))
  })
})

describe('a question of a paid set', () => {
  test('is not to be had by putting its number into one’s own record; the first ten are', async () => {
    const who = await server.student()
    const { verdicts, changes } = await collect(who, nos(1, 20))
    expect(
      verdicts.every(({ verdict }) => verdict === 'applied'),
      'no record is refused',
    ).toBe(true)
    expect(statesIn(changes).size).toBe(20)
    expect(await some(who, nos(1, 20))).toEqual(nos(1, 10))
    expect(await seen(who, `${set}_1`)).toEqual(nos(1, 10))
    expect(await seen(null, `${set}_2`)).toEqual([])
  })

  test('is its buyer’s, in the papers and in the record; another student has nothing of it', async () => {
    const [who, other] = [await server.student(), await server.student()]
    await buy(who)
    await collect(who, nos(1, 20))
    await collect(other, nos(1, 20))
    expect(await some(who, nos(1, 20)), 'what no set has is nobody’s').toEqual(nos(1, 14))
    expect(await seen(who, `${set}_1`)).toEqual(nos(1, 12))
    expect(await seen(who, `${set}_2`)).toEqual(nos(13, 14))
    expect(await some(other, nos(11, 14))).toEqual([])
    const { open, items } = await server.call(contract.questionSet.detail, { no: set }, who.token)
    expect([open, ...items.map(({ locked }) => locked)]).toEqual([true, 0, 0])
    const sets = await server.call(contract.questionSet.list, {}, who.token, JG)
    expect(sets.find((each) => each.no === set)?.open).toBe(true)
  })

  test('stays in the record when what was bought is over, or its paper leaves it out; the papers close', async () => {
    const who = await server.student()
    await buy(who, server.clock.now + DAY)
    await collect(who, nos(11, 14))
    await publish(server.db, paidSet([[nos(1, 11)]]))
    server.clock.now += 2 * DAY
    const { token } = await server.student(who.mobile)
    expect(await some({ ...who, token }, nos(11, 14))).toEqual(nos(11, 14))
    expect(await seen({ ...who, token }, `${set}_1`)).toEqual(nos(1, 10))
  })

  test('is everybody’s once a free set has it', async () => {
    const who = await server.student()
    await collect(who, nos(1, 20))
    await publish(server.db, setJson({ no: `${no}_F`, papers: [[nos(14, 15)]] }))
    expect(await some(who, nos(11, 20))).toEqual(nos(14, 15))
  })
})

test('a library stays for sets alone when it is imported again without a word about it', async () => {
  const plain = bankJson({ prefix: no, chapters: 1, perChapter: 20 })
  await importBank(server.db, server.mediaDir, plain)
  const listed = await server.call(contract.question.libraryList, {}, '', JG)
  expect(listed.some((each) => each.no === no)).toBe(false)
  const who = await server.student()
  await collect(who, nos(1, 20))
  expect(await some(who, nos(1, 20))).toEqual(nos(1, 10))
})

test.each([
  ['bought, that comes when it is over', async (who: Who) => buy(who, server.clock.now - 1)],
  [
    'free, that comes when it has a price',
    async () => {
      await publish(server.db, { ...paidSet(), price: 0 })
      await publish(server.db, paidSet())
    },
  ],
])('a sitting of a set that was %s, counts whole', async (_, before) => {
  const who = await server.student()
  await before(who)
  const answers = nos(1, 12).map((questionNo) =>
    op('answer', 2, { questionNo, response: { kind: 'choice', ids: ['B'] }, spentMs: 1, from: 'set', version: 1 }),
  )
  const paper = { of: 'set', no: set, itemNo: `${set}_1`, rev: 'any', trial: false }
  const ids = answers.map(({ opId }) => opId)
  const hand = op('handIn', 1, { attemptId: randomUUID(), answers: ids, paper, mode: 'exam', tookMs: 1, spentMs: 1 })
  const { changes } = await sync(who, [...answers, hand])
  expect(changes.find(({ kind }) => kind === 'attempt')).toMatchObject({ body: { total: 12, score: 1_800 } })
})

test('of the demo’s paid sets nobody has more than what may be tried', async () => {
  await importDemo(server.db, { mediaDir: server.mediaDir, say: () => {} })
  const sets = (await server.call(contract.questionSet.list, {}, '', JG)).filter(
    (each) => each.price > 0 && each.no.startsWith('S_'),
  )
  expect(sets.length).toBeGreaterThan(0)
  for (const each of sets) {
    const { rows } = await sql<{ free: number }>`
      select sum(json_array_length(case when q.type = 'composite' then q.body -> 'parts' else '[1]' end)) filter (where q.free)::int as free
      from set_question m join question q on q.no = m.question_no where m.set_no = ${each.no}`.execute(server.db)
    expect(rows[0]?.free).toBe(each.trial)
    expect(each.count).toBeGreaterThan(each.trial)
  }
})
