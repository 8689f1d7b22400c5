import { randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { OpRecord } from '#src/contract/study.ts'
import { givePublished, takePublished } from '#server/bin/publishCommands.ts'
import { checkTesting } from '#server/content/publish/testingFile.ts'
import { importDemo } from '#server/demo/demo.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { courseRow, publishCourse } from '#tests/support/courses.ts'
import { attemptIdOf, attempts, plainOps, syncAs } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { publishTesting, testingJson } from '#tests/support/testings.ts'

const { list, detail, paper } = contract.testing
const JG = { sg_key: 'jg', area: '11' }
const nos = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `Q_q${from + i}`)
const guided = {
  ...testingJson({ no: 'GUIDED', paper: [nos(1, 2), nos(3, 4)] }),
  kind: 'entrance' as const,
  minutes: 20,
  guide: [
    { from: 0, advice: '从头学', start: [{ chapter: 'Q_c1' }] },
    { from: 60, advice: '做整卷', start: [{ set: 'SET' }, { chapter: 'Q' }] },
  ],
}

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const { questions, ...bank } = bankJson({ prefix: 'Q', chapters: 1, perChapter: 12 })
  const mixed = questions.map((each) => (each.no === 'Q_q5' ? { ...each, type: 'multiple', answer: 'AB' } : each))
  await importBank(server.db, server.mediaDir, { ...bank, questions: mixed })
  await publish(server.db, setJson({ no: 'SET', papers: [[['Q_q1']]] }))
  await publishTesting(server.db, testingJson({ no: 'FREE', paper: [nos(1, 4)] }))
  await publishTesting(server.db, guided)
  await publishTesting(server.db, { ...testingJson({ no: 'TG', paper: [['Q_q1']] }), directions: ['tg'] })
})
afterAll(() => server.close())

describe('testings', () => {
  test('a list has what is for the direction, with what a student chooses by', async () => {
    const testings = await server.call(list, {}, '', JG)
    expect(testings.map(({ no }) => no)).toEqual(['FREE', 'GUIDED'])
    expect(testings).toMatchObject([
      { minutes: null, unit: null, kind: 'unit' },
      { minutes: 20, kind: 'entrance' },
    ])
    expect(testings[1]).toMatchObject({ count: 4, full: 600 })
  })

  test('a detail says what it is made of and what a result means, and nothing of what it asks', async () => {
    const testing = await server.call(detail, { no: 'GUIDED' }, '', JG)
    expect(testing).toMatchObject({
      intro: '学完一章做',
      sections: [
        { title: '第1部分', count: 2, full: 300 },
        { title: '第2部分', count: 2, full: 300 },
      ],
      guide: {
        whole: [
          { from: 0, advice: '从头学', start: [{ to: 'chapter', no: 'Q_c1', title: '第1章' }] },
          {
            from: 60,
            start: [
              { to: 'set', no: 'SET', title: 'SET 仿真卷' },
              { to: 'chapter', no: 'Q', title: 'Q 章节题库' },
            ],
          },
        ],
        sections: [[], []],
      },
    })
    expect(JSON.stringify(testing)).not.toMatch(/Q_q\d|stem|options/)
    const gone = { status: 0, msg: '测评不存在或已下架，请返回看看其他测评' }
    expect(await server.ask(detail, { no: 'NONE' })).toMatchObject(gone)
    expect(await server.ask(paper, { no: 'NONE' })).toMatchObject(gone)
  })

  test('a detail says whether the paper has multiple choice, whose rule of marking a student then reads', async () => {
    await publishTesting(server.db, testingJson({ no: 'MIXED', paper: [nos(4, 5)] }))
    expect(await server.call(detail, { no: 'MIXED' }, '', JG)).toMatchObject({ hasMultiple: true })
    expect(await server.call(detail, { no: 'GUIDED' }, '', JG)).toMatchObject({ hasMultiple: false })
  })

  test('a paper comes whole, with its keys, to anybody', async () => {
    const { sections, rev, guide } = await server.call(paper, { no: 'GUIDED' })
    expect(sections.flatMap(({ entries }) => entries.map(({ question }) => question.no))).toEqual(nos(1, 4))
    expect(sections[0]?.entries[0]?.question).toMatchObject({ key: ['B'], analysis: '逐一相加即可。' })
    expect(rev).toBe((await server.call(detail, { no: 'GUIDED' })).rev)
    expect(guide.whole).toHaveLength(2)
  })
})

type Who = { uid: string; token: string }
const op = plainOps(() => server.clock.now)
const answer = (questionNo: string, id = 'B') =>
  op('answer', 2, { questionNo, response: { kind: 'choice', ids: [id] }, spentMs: 1_000, from: 'testing', version: 1 })
const handIn = (answers: readonly OpRecord[], over: object = {}) =>
  op('handIn', 2, {
    attemptId: randomUUID(),
    answers: answers.map(({ opId }) => opId),
    paper: { of: 'testing', no: 'FREE', rev: 'any' },
    mode: 'practice',
    tookMs: 60_000,
    spentMs: 4_000,
    ...over,
  })
const sync = (who: Who, ops: OpRecord[]) => syncAs(server, who, ops)

describe('a hand-in of a testing', () => {
  test('is marked by the server’s own copy, once, and its misses are in the error book', async () => {
    const who = await server.student()
    const answers = [answer('Q_q1'), answer('Q_q2', 'A')]
    const hand = handIn(answers)
    const { verdicts, changes } = await sync(who, [hand, ...answers])
    expect(verdicts.map((each) => each.verdict)).toEqual(['applied', 'applied', 'applied'])
    expect(attempts(changes)).toMatchObject([
      {
        paper: { of: 'testing', no: 'FREE', rev: 'any' },
        score: 150,
        full: 600,
        right: 1,
        total: 4,
        marks: [150, 0, null, null],
      },
    ])
    const book = changes.flatMap((each) => (each.kind === 'state' && each.state.book ? [each.state] : []))
    expect(book.map(({ questionNo, book: of }) => [questionNo, of?.from])).toEqual([['Q_q2', 'testing']])
    expect((await sync(who, [hand, ...answers])).verdicts.map((each) => each.verdict)).toEqual(
      Array.from({ length: 3 }, () => 'duplicate'),
    )
    const again = await sync(who, [handIn([], { attemptId: attemptIdOf(hand) })])
    expect(again.verdicts).toMatchObject([{ verdict: 'rejected', code: 'finished' }])
    expect(attempts(again.changes)).toMatchObject([{ score: 150 }])
  })

  test('with another student’s sitting and answers touches neither them nor their score', async () => {
    const [owner, thief] = [await server.student(), await server.student()]
    const answers = [answer('Q_q1')]
    const hand = handIn(answers)
    await sync(owner, [...answers, hand])
    const stolen = await sync(thief, [handIn(answers, { attemptId: attemptIdOf(hand) })])
    expect(stolen.verdicts, 'answers of others are not there').toMatchObject([{ verdict: 'retry' }])
    expect(attempts((await sync(thief, [handIn([], { attemptId: attemptIdOf(hand) })])).changes)).toMatchObject([
      { score: 0 },
    ])
    expect(attempts((await sync(owner, [])).changes)).toMatchObject([{ score: 150 }])
  })

  test('of a testing that nobody has published is refused', async () => {
    const who = await server.student()
    const unknown = { paper: { of: 'testing', no: 'SET', rev: 'any' } }
    expect((await sync(who, [handIn([], unknown)])).verdicts).toMatchObject([{ code: 'unknown_paper' }])
  })

  test('is marked by the paper that was on the screen, although another one is published since', async () => {
    const who = await server.student()
    await publishTesting(server.db, testingJson({ no: 'MOVING', paper: [nos(1, 2)] }))
    const { rev } = await server.call(paper, { no: 'MOVING' })
    await publishTesting(server.db, testingJson({ no: 'MOVING', paper: [nos(1, 6)] }))
    const answers = [answer('Q_q1'), answer('Q_q2')]
    const { changes } = await sync(who, [...answers, handIn(answers, { paper: { of: 'testing', no: 'MOVING', rev } })])
    expect(attempts(changes)).toMatchObject([{ score: 300, full: 300, total: 2 }])
  })

  test('as apps wrote it before there were testings is a set’s, and only a set’s', async () => {
    const who = await server.student()
    const { kind, payload, ...rest } = handIn([])
    const old = { ...rest, kind, v: 1, payload: { ...(payload as object), paper: setRef } }
    expect((await sync(who, [old])).verdicts).toMatchObject([{ verdict: 'applied' }])
    expect((await sync(who, [{ ...handIn([]), v: 1 }])).verdicts).toMatchObject([
      { verdict: 'rejected', code: 'invalid' },
    ])
  })
})
const setRef = { of: 'set', no: 'SET', itemNo: 'SET_1', rev: 'any', trial: false }

describe('publishing', () => {
  const findings = async (json: object) => (await checkTesting(server.db, 'testing.json', json)).findings
  const reasons = async (json: object) =>
    (await findings(json)).filter(({ level }) => level === 'fault').map(({ at, reason }) => `${at}：${reason}`)

  test('what is wrong is said, with its place', async () => {
    const band = { from: 0, advice: '从头学' }
    expect(await reasons({ ...guided, kind: 'final', title: '' })).toHaveLength(2)
    expect(await reasons({ ...guided, guide: [{ ...band, from: 10 }] })).toEqual([
      'guide：第一档的 from 应为 0，否则分数低的学生看不到建议',
    ])
    expect(await reasons({ ...guided, guide: [band, band] })).toEqual(['guide：各档的 from 应从小到大，不能相同'])
    expect(await reasons({ ...guided, guide: [band, { from: 101, advice: ' ' }] })).toEqual([
      'guide[1].from：from 不能大于 100',
      'guide[1].advice：建议不能为空',
    ])
    const lost = [{ ...band, start: [{ chapter: 'NOPE' }, { set: 'Q' }] }]
    const [first] = guided.sections
    expect(await reasons({ ...guided, sections: [{ ...first, guide: lost }] })).toEqual([
      'sections[0].guide[0].start[0]：章节或题库 NOPE 不存在，或学生不能直接打开',
      'sections[0].guide[0].start[1]：题集 Q 不存在，或学生不能直接打开',
    ])
    expect(await reasons({ ...guided, full: 7 })).toEqual(['试卷：各题分值之和为 6，与满分 7 不符'])
    expect(await reasons(testingJson({ no: 'X', paper: [['Q_q1', 'NOPE']] }))).toEqual([
      '试卷.sections[0].questions[1]：题目 NOPE 不存在或已下架，请先导入题库',
    ])
    const nowhere = { ...guided, unit: { course: 'NOPE', no: 'NOPE_1' } }
    expect(await reasons(nowhere)).toEqual(['unit：课程 NOPE 里没有单元 NOPE_1，请先导入课程或一起导入'])
    expect(await reasons(testingJson({ no: 'SET_1', paper: [['Q_q1']] }))).toEqual(['no：编号 SET_1 已被套卷使用'])
  })

  test('questions that were for sets alone are warned of, and from then on anybody may read them', async () => {
    const shut = bankJson({ prefix: 'S', chapters: 1, perChapter: 2 })
    await importBank(server.db, server.mediaDir, { ...shut, library: { ...shut.library, setsOnly: true } })
    const json = testingJson({ no: 'SHUT', paper: [['S_q1']] })
    expect(await findings(json)).toMatchObject([
      { level: 'warning', reason: expect.stringContaining('1 道题原来只供题集，发布后任何人都能看到') },
    ])
    const who = await server.student()
    const missed = answer('S_q1', 'A')
    await sync(who, [missed])
    const read = async () => (await server.call(contract.question.some, { nos: ['S_q1', 'S_q2'] }, who.token)).length
    expect(await read()).toBe(0)
    await publishTesting(server.db, json)
    expect(await read()).toBe(1)
    expect(await findings(json)).toEqual([])
  })

  test('by the operator’s command: all or none, and out again as a file', async () => {
    await publishCourse(server, courseRow({ no: 'C1', units: [['C1_l1'], ['C1_l2']] }))
    const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-testings-'))
    const saved = (name: string, json: unknown) => {
      const file = path.join(folder, name)
      writeFileSync(file, JSON.stringify(json))
      return { file, kind: 'testing' as const }
    }
    const good = { ...guided, no: 'CMD', unit: { course: 'C1', no: 'C1_u2' } }
    const [one, twice] = [saved('one.json', good), saved('twice.json', good)]
    const refused = await takePublished(server.db, 'import', [one, twice], false, server.mediaDir)
    expect(refused.code).toBe(1)
    expect(refused.lines.join('\n')).toMatch(/测评编号 CMD 在 .*one\.json 与 .*twice\.json 里都有[\s\S]*未发布任何内容/)
    expect(await server.ask(detail, { no: 'CMD' })).toMatchObject({ status: 0 })
    const done = await takePublished(server.db, 'import', [one], false, server.mediaDir)
    expect(done.lines.join('\n')).toMatch(/one\.json：测评，共 4 题[\s\S]*one\.json：新增测评/)
    expect(await server.call(detail, { no: 'CMD' })).toMatchObject({ unit: { course: 'C1', no: 'C1_u2' } })
    const out = await givePublished(server.db, 'CMD', undefined, server.mediaDir)
    expect(await checkTesting(server.db, 'x', JSON.parse(out.lines.join('')))).toEqual(
      await checkTesting(server.db, 'x', good),
    )
    const again = await takePublished(server.db, 'import', [one], true, server.mediaDir)
    expect(JSON.parse(again.lines.join(''))).toMatchObject([{ total: 4, written: 'same' }])
  })
})

test('the demo has an entrance testing over four subjects that says for each where to start, and two of units', async () => {
  const other = await startServer()
  try {
    await importDemo(other.db, { mediaDir: other.mediaDir, say: () => {} })
    const testings = await other.call(list, {}, '', { sg_key: 'jg', area: '0' })
    expect(testings.map(({ kind, count }) => [kind, count])).toEqual([
      ['entrance', 20],
      ['unit', 8],
      ['unit', 11],
    ])
    const { guide, sections } = await other.call(detail, { no: 'T_entrance' })
    expect(sections.map(({ title }) => title)).toEqual(['数学', '物理', '英语', '政治'])
    for (const bands of [guide.whole, ...guide.sections]) expect(bands.length).toBeGreaterThanOrEqual(3)
    for (const bands of guide.sections) for (const { start } of bands) expect(start).not.toEqual([])
  } finally {
    await other.close()
  }
})
