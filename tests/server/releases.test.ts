import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { Question } from '#src/contract/question.ts'
import type { OpRecord } from '#src/contract/study.ts'
import { keepDrafts, publishDraft, readDifference } from '#server/content/bank/draftRelease.ts'
import { writeChecked } from '#server/content/bank/import.ts'
import { readReleases } from '#server/content/bank/releaseStore.ts'
import { ReleaseRefusal, rollBack } from '#server/content/bank/releases.ts'
import { restoreQuestions, retireQuestions } from '#server/content/bank/retiring.ts'
import { lockImports, readClaims } from '#server/content/claimStore.ts'
import { unstamped } from '#server/content/bank/versions.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { remarkSome } from '#server/study/remark.ts'
import { bankJson, checkBank, importBank } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { walk } from '#tests/support/jobs.ts'
import { importsWaiting } from '#tests/support/publish.ts'
import { libraryState } from '#tests/support/releases.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { statesIn } from '#tests/support/states.ts'
import { publishTesting, testingJson } from '#tests/support/testings.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

type Bank = ReturnType<typeof bankJson>
let banks = 0
let bank: Bank
let lib: string
let q: (n: number) => string
/** A library of two chapters with thirty questions each: a block and five questions; the right option is B. */
beforeEach(async () => {
  lib = `V${++banks}`
  q = (n) => `${lib}_q${n}`
  bank = bankJson({ prefix: lib, chapters: 2, perChapter: 30 })
  await take(bank)
})

const doing = (note = '') => ({ mediaDir: server.mediaDir, at: ++server.clock.now, note })
const take = (json: object, note = '') => importBank(server.db, server.mediaDir, json, { at: ++server.clock.now, note })
const back = (to: number | null = null, note = '') => rollBack(server.db, lib, to, doing(note))
const releases = () => readReleases(server.db, lib)
const stateOf = (no = lib) => libraryState(server, no)
async function remarkAll(): Promise<void> {
  while (await remarkSome(server.db, walk(server.clock.now)));
}
/** The bank with some questions changed, some left out. */
const edited = (changes: Record<number, object>, without: readonly number[] = []): Bank => ({
  ...bank,
  questions: bank.questions.flatMap((each, i) => (without.includes(i + 1) ? [] : [{ ...each, ...changes[i + 1] }])),
})

const device = randomUUID()
let seq = 0
const op = (kind: string, questionNo: string, payload: object, v = 1): OpRecord => ({
  opId: randomUUID(),
  seq: ++seq,
  stream: `q:${questionNo}`,
  kind,
  v,
  payload: { questionNo, ...payload },
  ctx: { sg_key: 'jg', area: '0', key: 'jg' },
  clientAt: ++server.clock.now,
})
const answer = (questionNo: string, id: string, version = 1): OpRecord =>
  op('answer', questionNo, { response: { kind: 'choice', ids: [id] }, spentMs: 1000, from: 'library', version }, 2)
type Student = Awaited<ReturnType<TestServer['student']>>
const sync = (who: Student, ops: OpRecord[] = []) =>
  server.call(
    contract.study.sync,
    { device, owner: who.uid, proto: 1, sentAt: server.clock.now, cursor: 0, ops },
    who.token,
  )
const states = async (who: Student) => statesIn((await sync(who)).changes)

const command = (...args: string[]) => {
  const DATABASE_URL = `postgres://postgres@localhost/${server.database}?host=${encodeURIComponent(server.socketFolder)}`
  const env = { ...process.env, DATABASE_URL, DATA_DIR: path.dirname(server.mediaDir) }
  return spawnSync(process.execPath, ['server/bin/content.ts', ...args], { env, encoding: 'utf8' })
}

describe('a release', () => {
  test('is made by each import that changes something, says what and what for, and costs what it changed', async () => {
    await take(bank)
    expect(await releases()).toMatchObject([{ no: 1, what: 'import', added: 60, changed: 0, retired: 0 }])
    await take(edited({ 1: { answer: 'C' } }, [2, 60]), '教材第 3 版')
    await take({ ...bank, library: { ...bank.library, title: '新名' } })
    expect(await releases()).toMatchObject([
      // Two come back, one changes back; those behind the second had moved up, and move down again.
      { no: 3, added: 0, changed: 60, restored: 2, retired: 0, framed: true },
      { no: 2, note: '教材第 3 版', added: 0, changed: 58, restored: 0, retired: 2, framed: false },
      { no: 1 },
    ])
    const { rows } = await sql<{ no: number; n: number }>`
      select r.no, count(b.question_no)::int as n from release r left join release_question b on b.release_id = r.id
      where r.library_no = ${lib} group by r.no order by r.no`.execute(server.db)
    expect(rows.map(({ n }) => n)).toEqual([0, 60, 60])
  })

  test('is one for all files of a library in one command, and goes back whole', async () => {
    const first = await stateOf()
    const part = (questions: object[], title: string) =>
      checkBank({ ...bank, library: { ...bank.library, title }, questions })
    const files = [
      await part([{ ...bank.questions[0], answer: 'C' }], '甲'),
      await part(
        [
          { ...bank.questions[0], answer: 'D' },
          { ...bank.questions[1], answer: 'C' },
        ],
        '乙',
      ),
    ]
    await writeChecked(server.db, files, server.mediaDir, false, { at: ++server.clock.now, by: 'operator' })
    expect(await releases()).toMatchObject([{ no: 2, changed: 3, framed: true }, { no: 1 }])
    await back()
    expect(await stateOf()).toEqual(first)
  })

  test('of what was there before releases is the first; the next can be taken back', async () => {
    await sql`drop table release_question, release, release_draft_part, release_draft`.execute(server.db)
    await migrations['0034-releases']?.up(server.db)
    expect(await releases()).toMatchObject([{ no: 1, what: 'before', added: 0, at: expect.any(Number) }])
    const before = await stateOf()
    await take(edited({ 1: { stem: '改了？' } }, [3]))
    await back()
    expect(await stateOf()).toEqual(before)
  })
})

describe('a rollback', () => {
  test('puts texts, keys, order, chapters, title and points back; texts as new versions; and is taken back itself', async () => {
    const first = await stateOf()
    const other = { ...edited({ 1: { answer: 'C' }, 2: { stem: '另一道题？' } }, [3]) }
    other.questions.reverse()
    other.questions.push({
      ...bank.questions[0],
      no: q(99),
      stem: '新题？',
      chapter: `${lib}_n`,
    } as Bank['questions'][number])
    other.chapters = [{ no: `${lib}_n`, parent: null, title: '新章' }, ...other.chapters].reverse()
    other.library = { ...bank.library, title: '新名', directions: [] }
    other.points = [{ ...bank.points[0], name: '新知识点' } as Bank['points'][number]]
    other.questions = other.questions.map((each) => ({ ...each }))
    await take(other)
    const second = await stateOf()
    expect(second).not.toEqual(first)

    expect(await back(null, '误导入')).toMatchObject({ no: 3, target: 1, added: 0, restored: 1, retired: 1 })
    expect(await stateOf()).toEqual(first)
    expect(await releases()).toMatchObject([{ no: 3, what: 'rollback', target: 1, note: '误导入' }, {}, {}])
    const versions = await sql<{ no: string; version: number }>`
      select no, version from question where no = any(${[q(1), q(2), q(3), q(4)]}) order by no`.execute(server.db)
    expect(versions.rows.map(({ version }) => version)).toEqual([3, 3, 1, 3])

    await back()
    expect(await stateOf()).toEqual(second)
    await back(1)
    expect(await stateOf()).toEqual(first)
    expect((await releases()).map(({ target }) => target)).toEqual([1, 2, 1, null, null])
  })

  test('marks answers again, leaves collections, and takes what is retired out of nobody’s record', async () => {
    const who = await server.student()
    await sync(who, [answer(q(1), 'C'), answer(q(2), 'B'), op('collect', q(2), { folder: '', over: [] })])
    const wrong = async () => {
      const all = await states(who)
      return [q(1), q(2)].map((no) => [all.get(no)?.wrong, all.get(no)?.book !== undefined])
    }
    expect(await wrong()).toEqual([
      [1, true],
      [0, false],
    ])
    await take(edited({ 1: { answer: 'C' } }, [2]))
    await remarkAll()
    expect(await wrong()).toEqual([
      [0, false],
      [0, false],
    ])
    await back()
    await remarkAll()
    expect(await wrong()).toEqual([
      [1, true],
      [0, false],
    ])
    expect((await states(who)).get(q(2))).toMatchObject({ times: 1, collected: expect.anything() })
    await back()
    await remarkAll()
    expect(await wrong()).toEqual([
      [0, false],
      [0, false],
    ])
    const [gone] = await server.call(contract.question.some, { nos: [q(2)] }, who.token)
    expect(gone).toMatchObject({ retired: true, question: { no: q(2) } })
  })

  test('answers to a text that was put back are marked by the key of the text that they were given to', async () => {
    const who = await server.student()
    await take(edited({ 1: { stem: '另一道题：1 加 1 等于多少？', answer: 'D' } }))
    await sync(who, [answer(q(1), 'D', 2)])
    await back()
    await remarkAll()
    await sync(who, [answer(q(1), 'D', 2), answer(q(1), 'B', 3), answer(q(1), 'D', 3)])
    const { rows } = await sql<{ right: boolean }>`
      select "right" from study_op where uid = ${who.uid} order by effective_at`.execute(server.db)
    expect(rows.map(({ right }) => right)).toEqual([true, true, true, false])
  })

  test('blocks that nothing changed in keep their rev, and published papers stay as they are', async () => {
    await publish(server.db, setJson({ no: `S${lib}`, papers: [[[q(1), q(40)]]] }))
    const paper = () => server.call(contract.questionSet.paper, { no: `S${lib}`, itemNo: `S${lib}_1` })
    const before = await server.call(contract.question.pack, { no: lib })
    const sat = await paper()
    await take(edited({ 1: { answer: 'C' } }))
    await back()
    const after = await server.call(contract.question.pack, { no: lib })
    const changed = after.blocks.filter(({ rev }, i) => rev !== before.blocks[i]?.rev)
    expect(changed.map(({ no, at }) => [no, at])).toEqual([[`${lib}_c1`, 0]])
    expect(after.rev).not.toBe(before.rev)
    expect(await paper()).toEqual(sat)
  })

  test('to a library for sets alone hides it again; what was open once is had by anybody', async () => {
    const free = async () => {
      const { rows } = await sql<{ no: string; free: boolean }>`
        select no, free from question where no = any(${[q(1), q(99)]}) order by no`.execute(server.db)
      return rows.map((row) => row.free)
    }
    const listed = async () => (await server.ask(contract.question.pack, { no: lib })).status === 1
    const sold = { ...bank, library: { ...bank.library, setsOnly: true } }
    sold.questions = [
      ...bank.questions,
      { ...bank.questions[0], no: q(99), stem: '要卖的题？' } as Bank['questions'][number],
    ]
    await take(sold)
    expect([await listed(), await free()]).toEqual([false, [true, false]])
    await back()
    // Opened again without the new one, which nobody has had.
    expect([await listed(), await free()]).toEqual([true, [true, false]])
    await back()
    expect([await listed(), await free()]).toEqual([false, [true, false]])
  })

  test('of what the demo has published makes it the operator’s', async () => {
    const json = bankJson({ prefix: `${lib}D`, chapters: 1, perChapter: 3 })
    const demo = { by: { claims: new Set<string>() }, at: ++server.clock.now }
    await importBank(server.db, server.mediaDir, json, demo)
    await importBank(server.db, server.mediaDir, { ...json, questions: json.questions.slice(0, 2) }, demo)
    const mine = async () => (await readClaims(server.db)).has(`${lib}D`)
    expect(await mine()).toBe(false)
    await rollBack(server.db, `${lib}D`, null, doing())
    expect(await mine()).toBe(true)
  })

  test('takes its turn with imports', async () => {
    await take(edited({ 1: { answer: 'C' } }))
    const turn = await server.db.transaction().execute(async (tx) => {
      await lockImports(tx)
      const going = back()
      await expect.poll(() => importsWaiting(server.db)).toBe(1)
      expect(await releases()).toHaveLength(2)
      return { going }
    })
    expect(await turn.going).toMatchObject({ no: 3, changed: 1 })
  })

  test.each([
    ['a library that there is not', 'NONE', null, '没有编号为 NONE 的题库'],
    ['a library of one release', '', null, '只有一版'],
    ['what was never', '', 7, '没有第 7 版，现用第 2 版'],
    ['the present release', '', 2, '第 2 版就是现用的一版'],
  ])('to %s is refused in words', async (_, no, to, reason) => {
    if (to) await take(edited({ 1: { answer: 'C' } }))
    const refused = rollBack(server.db, no || lib, to, doing())
    await expect(refused).rejects.toThrow(ReleaseRefusal)
    await expect(refused).rejects.toThrow(reason)
  })

  test('is refused whole when a chapter’s number is another library’s by now', async () => {
    const { chapters, questions } = bank
    await take({ ...bank, chapters: chapters.slice(0, 1), questions: questions.slice(0, 30) })
    const now = await stateOf()
    const taken = bankJson({ prefix: `${lib}T`, chapters: 1, perChapter: 1 })
    const no = `${lib}_c2`
    await take({
      ...taken,
      chapters: [{ no, parent: null, title: '别家' }],
      questions: taken.questions.map((each) => ({ ...each, chapter: no })),
    })
    await expect(back()).rejects.toThrow(`章节或知识点的编号已被别处使用：${no}`)
    expect(await stateOf()).toEqual(now)
    expect(await releases()).toHaveLength(2)
  })

  test('to a state that is the present one makes no release', async () => {
    await take(edited({ 1: { answer: 'C' } }))
    await take(bank)
    expect(await back(1)).toMatchObject({ no: null, changed: 0, retired: 0 })
    expect(await releases()).toHaveLength(3)
  })
})

describe('single questions', () => {
  const retire = (...nos: string[]) => retireQuestions(server.db, nos, doing('错题'))
  const restore = (...nos: string[]) => restoreQuestions(server.db, nos, doing())

  test('leave blocks and counts, stay in records, and come back at their places, also by a rollback', async () => {
    const who = await server.student()
    await sync(who, [answer(q(2), 'C')])
    const first = await stateOf()
    expect(await retire(q(2), q(31), q(2))).toMatchObject({
      done: [{ library: lib, no: 2, retired: 2, added: 0, changed: 0 }],
      already: [],
      held: [],
    })
    const without = await stateOf()
    expect(without.total).toBe(58)
    expect(without.questions).toEqual(first.questions.filter(([, { no }]) => no !== q(2) && no !== q(31)))
    expect((await states(who)).get(q(2))).toMatchObject({ times: 1, wrong: 1 })
    const [gone] = await server.call(contract.question.some, { nos: [q(2)] }, who.token)
    expect(gone).toMatchObject({ retired: true, question: { no: q(2) } })
    expect((await releases())[0]).toMatchObject({ what: 'retire', note: '错题', retired: 2 })

    expect(await retire(q(2))).toMatchObject({ done: [], already: [q(2)] })
    expect(await restore(q(2), q(3))).toMatchObject({ done: [{ no: 3, changed: 1, restored: 1 }], already: [q(3)] })
    await restore(q(31))
    expect(await stateOf()).toEqual(first)
    await back(2)
    expect(await stateOf()).toEqual(without)
    await restore(q(31), q(2))
    expect(await stateOf()).toEqual(first)
  })

  test('of several libraries are a release of each; one that nobody knows keeps all in', async () => {
    const other = bankJson({ prefix: `${lib}O`, chapters: 1, perChapter: 2 })
    await take(other)
    const before = [await stateOf(), await stateOf(`${lib}O`)]
    await expect(retire(q(1), `${lib}O_q1`, 'NONE')).rejects.toThrow('没有编号为 NONE 的题目')
    await expect(restore('NONE')).rejects.toThrow(ReleaseRefusal)
    expect([await stateOf(), await stateOf(`${lib}O`)]).toEqual(before)
    const { done } = await retire(q(1), `${lib}O_q1`)
    expect(done.map(({ library, no, retired }) => [library, no, retired])).toEqual([
      [lib, 2, 1],
      [`${lib}O`, 2, 1],
    ])
  })

  test('that are parts of a material are named by it', async () => {
    const material = {
      no: q(70),
      chapter: `${lib}_c1`,
      type: 'composite',
      stem: '材料',
      parts: [1, 2].map((i) => ({ ...bank.questions[i], no: `${q(70)}_${i}` })),
    }
    await take({ ...bank, questions: [...bank.questions, material] })
    const first = await stateOf()
    expect(first.total).toBe(62)
    await expect(retire(`${q(70)}_1`)).rejects.toThrow(`${q(70)}_1 是材料题 ${q(70)} 的小题，请写材料题的编号`)
    await retire(q(70))
    expect((await stateOf()).total).toBe(60)
    await restore(q(70))
    expect(await stateOf()).toEqual(first)
  })

  test('whose chapter is gone stay out, and that is said', async () => {
    await retire(q(31), q(1))
    await take({ ...bank, chapters: bank.chapters.slice(0, 1), questions: bank.questions.slice(1, 30) })
    const now = await stateOf()
    await expect(restore(q(1), q(31))).rejects.toThrow(`${q(31)} 原来的章节已经没有`)
    expect(await stateOf()).toEqual(now)
    await restore(q(1))
    expect((await stateOf()).questions[0]?.[1].no).toBe(q(1))
  })

  test('are told to stand in published sets, exams and testings still, which stay as they are', async () => {
    await publish(server.db, setJson({ no: `S${lib}`, papers: [[[q(1), q(40)]], [[q(5)]]] }))
    await publishExam(server.db, examJson({ no: `X${lib}`, paper: [[q(2)]] }))
    await publishTesting(server.db, testingJson({ no: `T${lib}`, paper: [[q(1)]] }))
    const paper = () => server.call(contract.questionSet.paper, { no: `S${lib}`, itemNo: `S${lib}_1` })
    const before = await paper()
    const { held } = await retire(q(1), q(2), q(3), q(40))
    expect(held.map(({ kind, no, questions }) => [kind, no, questions])).toEqual([
      ['exam', `X${lib}`, [q(2)]],
      ['set', `S${lib}`, [q(1), q(40)]],
      ['testing', `T${lib}`, [q(1)]],
    ])
    expect(await paper()).toEqual(before)
  })
})

describe("the operator's command", () => {
  test('lists releases and goes back, in words and as JSON', async () => {
    await take(edited({ 1: { answer: 'C' } }, [60]), '第二次印刷')
    const listed = command('releases', lib)
    expect([listed.status, listed.stderr]).toEqual([0, ''])
    expect(listed.stdout).toMatch(
      /^第 2 版（现用） {2}2026-\d\d-\d\d \d\d:\d\d {2}导入 {2}更新 1，下架 1 {2}第二次印刷\n第 1 版 .* 导入 {2}新增 60\n$/,
    )
    expect(command('rollback', lib, '--note', '印错了').stdout).toBe(
      `题库 ${lib} 已回到第 1 版：更新 2（其中恢复 1）。现用第 3 版\n`,
    )
    expect(JSON.parse(command('rollback', lib, '2', '--json').stdout)).toEqual({
      library: lib,
      no: 4,
      target: 2,
      added: 0,
      changed: 1,
      restored: 0,
      retired: 1,
    })
    expect(command('rollback', lib, '2').stdout).toBe(`题库 ${lib} 与第 2 版相同，没有改动\n`)
    expect(command('rollback', lib, '9')).toMatchObject({ status: 1, stderr: `题库 ${lib} 没有第 9 版，现用第 4 版\n` })
    expect(JSON.parse(command('releases', lib, '--json').stdout)).toMatchObject({
      draft: null,
      releases: [
        { no: 4, what: 'rollback', target: 2, present: true },
        { no: 3 },
        { no: 2 },
        { no: 1, present: false },
      ],
    })
    for (const wrong of [['rollback'], ['rollback', lib, '0'], ['rollback', lib, '1', '2'], ['releases']])
      expect(command(...wrong)).toMatchObject({ status: 2, stderr: expect.stringContaining('用法') })
  })
})

describe("the operator's command for single questions", () => {
  test('takes numbers from the line and from a file, and says what became of them', () => {
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'lijian-nos-')), 'nos.txt')
    writeFileSync(file, `\uFEFF${q(2)}，${q(3)}\r\n${q(2)}\n`)
    const out = command('retire', q(1), '--from-file', file, '--note', '过时')
    expect([out.stdout, out.stderr, out.status]).toEqual([`题库 ${lib}：下架 3。现用第 2 版\n`, '', 0])
    expect(command('retire', q(1)).stdout).toBe(`原来就已下架：${q(1)}\n`)
    expect(command('restore', q(1), q(4)).stdout).toBe(`题库 ${lib}：恢复 1。现用第 3 版\n原来就没有下架：${q(4)}\n`)
    expect(JSON.parse(command('retire', q(1), '--json').stdout)).toMatchObject({
      done: [{ no: 4 }],
      already: [],
      held: [],
    })
    expect(command('retire', 'NONE')).toMatchObject({ status: 1, stderr: '没有编号为 NONE 的题目\n' })
    expect(command('restore', '--from-file', `${file}.x`)).toMatchObject({
      status: 1,
      stderr: `${file}.x 不存在或无法读取\n`,
    })
    expect(command('retire')).toMatchObject({ status: 2, stderr: expect.stringContaining('用法') })
  })
})

describe('any life of a library', () => {
  const QUESTIONS = [1, 2, 3, 4, 5]
  const content = fc.record({
    there: fc.boolean(),
    chapter: fc.integer({ min: 1, max: 2 }),
    key: fc.constantFrom<string>('A', 'B', 'C'),
    analysis: fc.constantFrom<string>('甲。', '乙。'),
    place: fc.nat(9),
  })
  const contents = fc.array(content, { minLength: QUESTIONS.length, maxLength: QUESTIONS.length })
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        contents,
        parts: fc.nat(3),
        title: fc.constantFrom('甲', '乙'),
        replace: fc.boolean(),
        draft: fc.boolean(),
        more: fc.boolean(),
      }),
    },
    { weight: 4, arbitrary: fc.record({ back: fc.nat(20) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        turn: fc.constantFrom<string>('out', 'in'),
        nos: fc.uniqueArray(fc.constantFrom('q1', 'q2', 'q3', 'm1'), { minLength: 1 }),
      }),
    },
  )
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
  type Life = {
    lib: string
    releases: Map<number, Awaited<ReturnType<typeof stateOf>>>
    versions: Map<string, [number, string]>
  }

  const single = (no: string, key: string, more: object = {}) => ({
    no,
    type: 'single',
    stem: `${no}：选哪一个？`,
    options: ['甲', '乙', '丙'],
    answer: key,
    ...more,
  })
  function file({ lib: no }: Life, { contents: all, parts, title, more }: Extract<Step, { parts: number }>) {
    const questions = all
      .map((each, i) => ({ ...each, no: `${no}_q${i + 1}`, chapter: `${no}_c${more && i === 0 ? 3 : each.chapter}` }))
      .filter(({ there }) => there)
      .sort((a, b) => a.place - b.place)
    const few = new Set(questions.map(({ chapter }) => chapter))
    return {
      format: 'lijian/1',
      subject: { no: 'politics', name: '政治' },
      points: [{ no: `${no}_p1`, parent: null, name: `${title}点` }],
      library: { no, title, directions: more ? [] : ['jg'], areas: [] },
      chapters: ['c1', 'c2', 'm', ...(more ? ['c3'] : [])].map((each) => ({
        no: `${no}_${each}`,
        parent: null,
        title: `${title}${each}`,
      })),
      questions: [
        ...questions.map(({ no: own, key, analysis, chapter }) => single(own, key, { analysis, chapter })),
        {
          no: `${no}_m1`,
          chapter: `${no}_${few.size === 1 ? 'c2' : 'm'}`,
          type: 'composite',
          stem: '材料',
          parts: Array.from({ length: parts + 1 }, (_, i) => single(`${no}_m1_${i + 1}`, 'A')),
        },
      ],
    }
  }

  async function turn({ lib: no }: Life, { turn: way, nos }: Extract<Step, { turn: string }>): Promise<void> {
    const own = nos.map((each) => `${no}_${each}`)
    const there = async () => (await stateOf(no)).questions.map(([, question]) => question.no)
    const before = await there()
    const refused = await (way === 'out' ? retireQuestions : restoreQuestions)(server.db, own, doing()).then(
      () => false,
      (error: unknown) => error instanceof ReleaseRefusal,
    )
    const after = await there()
    const expected = refused ? before : way === 'out' ? others(before, own) : [...others(before, own), ...own]
    expect(after.toSorted()).toEqual(expected.toSorted())
    expect(others(after, own)).toEqual(others(before, own))
    // A chapter that a file has left out keeps its questions out.
    expect(refused && (way === 'out' || !own.includes(`${no}_q1`))).toBe(false)
  }
  const others = (all: readonly string[], own: readonly string[]) => all.filter((each) => !own.includes(each))

  async function publishAsDraft(no: string, json: object, replace: boolean): Promise<void> {
    const before = await stateOf(no)
    await keepDrafts(server.db, [await checkBank(json)], { ...doing(), replace })
    const { difference: foreseen } = await readDifference(server.db, no)
    expect(await stateOf(no)).toEqual(before)
    const done = await publishDraft(server.db, no, doing())
    const { added, changed, moved, restored, retired } = foreseen
    expect([done.added, done.changed, done.restored, done.retired]).toEqual([
      added.length,
      changed.length + moved.length + restored.length,
      restored.length,
      retired.length,
    ])
    const told = added.length + changed.length + moved.length + restored.length + retired.length > 0 || foreseen.framed
    expect(done.no !== null).toBe(told)
    const releasesNow = async () => (await readReleases(server.db, no)).length
    const count = await releasesNow()
    await importBank(server.db, server.mediaDir, json, { at: ++server.clock.now, replace })
    expect(await releasesNow(), 'the file itself finds everything as it is').toBe(count)
  }

  async function take1(life: Life, each: Step): Promise<number | null> {
    const { lib: no } = life
    if ('turn' in each) {
      await turn(life, each)
      return null
    }
    if (!('back' in each)) {
      const { replace } = each
      if (each.draft) await publishAsDraft(no, file(life, each), replace)
      else await importBank(server.db, server.mediaDir, file(life, each), { at: ++server.clock.now, replace })
      return null
    }
    const target = (each.back % life.releases.size) + 1
    if (target === life.releases.size) return null
    await rollBack(server.db, no, target, doing())
    return target
  }

  /** Versions never go down, and are another whenever the text is. */
  async function lookAtVersions({ lib: no, versions }: Life): Promise<void> {
    const { rows } = await sql<{ no: string; version: number; body: Question }>`
      select no, version, body from question where starts_with(no, ${`${no}_`})`.execute(server.db)
    for (const each of rows) {
      const text = JSON.stringify(unstamped(each.body))
      const [version, before] = versions.get(each.no) ?? [0, '']
      expect([each.no, each.version]).toEqual([each.no, text === before ? version : version + 1])
      versions.set(each.no, [each.version, text])
    }
  }

  test('leads back to every release as it was, whatever came between, and no answer keeps a mark of yesterday', async () => {
    const steps = fc.array(fc.tuple(step, fc.array(fc.nat(4), { maxLength: 2 })), { minLength: 2, maxLength: 9 })
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const who = await server.student()
        const life: Life = { lib: `F${++banks}`, releases: new Map(), versions: new Map() }
        const all = QUESTIONS.map((i) => ({ there: true, chapter: 1 + (i % 2), key: 'B', analysis: '甲。', place: i }))
        await take1(life, { contents: all, parts: 1, title: '甲', replace: true, draft: false, more: true })
        life.releases.set(1, await stateOf(life.lib))
        await lookAtVersions(life)
        for (const [each, answered] of list) {
          // Answers come in while it happens.
          const ops = answered.map((i, at) => answer(`${life.lib}_q${i + 1}`, at === 0 ? 'B' : 'C'))
          const [target] = await Promise.all([take1(life, each), sync(who, ops)])
          const state = await stateOf(life.lib)
          const no = (await readReleases(server.db, life.lib))[0]?.no ?? 0
          expect(state).toEqual(life.releases.get(target ?? no) ?? state)
          expect(state).toEqual(life.releases.get(no) ?? state)
          life.releases.set(no, state)
          expect([...life.releases.keys()]).toEqual(Array.from(life.releases, (_, i) => i + 1))
          await lookAtVersions(life)
        }
        await remarkAll()
        const { rows } = await sql<{ right: boolean; id: string; key: string }>`
          select o."right", o.payload -> 'response' -> 'ids' ->> 0 as id, q.body -> 'key' ->> 0 as key
          from study_op o join question q on q.no = o.question_no where o.uid = ${who.uid} and o.verdict = 'applied'`.execute(
          server.db,
        )
        expect(rows).toHaveLength(list.flatMap(([, answered]) => answered).length)
        for (const { right, id, key } of rows) expect(right).toBe(id === key)
        const told = [...(await states(who)).values()].reduce((n, { times }) => n + times, 0)
        expect(told).toBe(rows.length)
      }),
      { numRuns: 25, seed: 20_261_123 },
    )
  })
})
