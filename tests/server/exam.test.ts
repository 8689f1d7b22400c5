import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { givePublished, takePublished } from '#server/bin/publishCommands.ts'
import { checkExam } from '#server/content/publish/examFile.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publish, setJson } from '#tests/support/sets.ts'

const { list, detail, apply } = contract.exam
const JG = { sg_key: 'jg', area: '11' }
const HOUR = 3_600_000
/** 2026-12-01 09:00 in Beijing. */
const START = Date.parse('2026-12-01T01:00:00Z')
const nos = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `Q_q${from + i}`)
const scheduled = {
  ...examJson({ no: 'SCHED', paper: [nos(1, 4), nos(5, 6)] }),
  startsAt: '2026-12-01 09:00',
  endsAt: '2026-12-01 12:00',
  rankClosesAt: '2026-12-01 20:00',
}
const paid = { ...examJson({ no: 'PAID', paper: [['Q_q1']] }), price: 1990, vip: true }

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const { questions, ...bank } = bankJson({ prefix: 'Q', chapters: 1, perChapter: 12 })
  const mixed = questions.map((each) => (each.no === 'Q_q5' ? { ...each, type: 'multiple', answer: 'AB' } : each))
  await importBank(server.db, server.mediaDir, { ...bank, questions: mixed })
  await publishExam(server.db, examJson({ no: 'OPEN', paper: [nos(1, 3)] }))
  await publishExam(server.db, scheduled)
  await publishExam(server.db, paid)
  await publishExam(server.db, { ...examJson({ no: 'TG', paper: [['Q_q1']] }), directions: ['tg'] })
  await publishExam(server.db, { ...examJson({ no: 'SD', paper: [['Q_q1']] }), areas: ['37'] })
})
afterAll(() => server.close())

describe('exams', () => {
  test('a list has what is for the direction and area, with what a student chooses by', async () => {
    const exams = await server.call(list, {}, '', JG)
    expect(exams.map(({ no }) => no)).toEqual(['OPEN', 'SCHED', 'PAID'])
    expect(exams[1]).toEqual({
      no: 'SCHED',
      title: 'SCHED 模考',
      kind: 'mock',
      window: { from: START, to: START + 3 * HOUR },
      rankClosesAt: START + 11 * HOUR,
      minutes: 60,
      count: 6,
      full: 300,
      price: 0,
      vip: false,
      open: true,
      applyCount: 0,
      byVip: false,
      applied: false,
    })
    expect(exams[0]?.window).toBeNull()
    expect(exams[2]).toMatchObject({ price: 1990, vip: true, open: false })
  })

  test('a detail says whether the paper has multiple choice, whose rule of marking a student then reads', async () => {
    expect(await server.call(detail, { no: 'SCHED' })).toMatchObject({ hasMultiple: true })
    expect(await server.call(detail, { no: 'OPEN' })).toMatchObject({ hasMultiple: false })
  })

  test('a detail says what the paper is made of, and nothing of what it asks', async () => {
    const exam = await server.call(detail, { no: 'SCHED' }, '', JG)
    expect(exam).toMatchObject({
      intro: '仿真样例',
      partial: 'half',
      rankClosesAt: START + 11 * HOUR,
      sections: [
        { title: '第1大题', note: '每小题 0.5 分', count: 4, full: 200 },
        { title: '第2大题', note: '每小题 0.5 分', count: 2, full: 100 },
      ],
    })
    expect(JSON.stringify(exam)).not.toMatch(/Q_q\d|stem|key|options/)
    expect(await server.ask(detail, { no: 'NONE' })).toEqual({
      status: 0,
      msg: '考试不存在或已下架，请返回看看其他考试',
      data: null,
    })
  })
})

describe('applying', () => {
  test('counts a student once, however often and at once, and is told to them alone', async () => {
    const [me, other] = [await server.student(), await server.student()]
    const answers = await Promise.all(Array.from({ length: 8 }, () => server.call(apply, { no: 'OPEN' }, me.token)))
    expect(Math.max(...answers.map(({ applyCount }) => applyCount))).toBe(1)
    expect(await server.call(apply, { no: 'OPEN' }, other.token)).toEqual({ applyCount: 2 })
    expect(await server.call(detail, { no: 'OPEN' }, me.token)).toMatchObject({ applied: true, applyCount: 2 })
    expect(await server.call(detail, { no: 'OPEN' })).toMatchObject({ applied: false, applyCount: 2 })
  })

  test('ends with the window', async () => {
    const { token } = await server.student()
    const before = server.clock.now
    try {
      server.clock.now = START + 3 * HOUR
      const said = { status: 0, msg: '考试已结束，不能再报名', data: null }
      expect(await server.ask(apply, { no: 'SCHED' }, token)).toEqual(said)
      server.clock.now = START + 3 * HOUR - 1
      expect(await server.call(apply, { no: 'SCHED' }, token)).toEqual({ applyCount: 1 })
      server.clock.now = START + 4 * HOUR
      expect(await server.call(apply, { no: 'SCHED' }, token)).toEqual({ applyCount: 1 })
    } finally {
      server.clock.now = before
    }
  })

  test('of what is sold is for who has bought it, until that ends', async () => {
    const { token, uid } = await server.student()
    const refused = { status: 0, msg: '这场考试需要购买或开通 VIP 后报名', data: null }
    expect(await server.ask(apply, { no: 'PAID' }, token)).toEqual(refused)
    const bought = { uid, kind: 'exam' as const, no: 'PAID', until: server.clock.now }
    await server.db.insertInto('entitlement').values(bought).execute()
    expect(await server.ask(apply, { no: 'PAID' }, token)).toEqual(refused)
    await server.db
      .updateTable('entitlement')
      .set({ until: server.clock.now + 1 })
      .where('uid', '=', uid)
      .execute()
    expect(await server.call(detail, { no: 'PAID' }, token)).toMatchObject({ open: true })
    expect(await server.call(apply, { no: 'PAID' }, token)).toEqual({ applyCount: 1 })
  })

  test('needs a student, and an exam', async () => {
    expect(await server.ask(apply, { no: 'OPEN' })).toMatchObject({ status: 2 })
    const { token } = await server.student()
    expect(await server.ask(apply, { no: 'NONE' }, token)).toMatchObject({
      status: 0,
      msg: '考试不存在或已下架，请返回看看其他考试',
    })
  })
})

describe('publishing', () => {
  const reasons = async (json: object) =>
    (await checkExam(server.db, 'exam.json', json)).findings
      .filter(({ level }) => level === 'fault')
      .map(({ at, reason }) => `${at}：${reason}`)

  test('what cannot be held is said, with its place', async () => {
    expect(await reasons({ ...scheduled, startsAt: '2026-13-01 09:00' })).toEqual([
      'startsAt：没有这个时间，请检查日期',
    ])
    expect(await reasons({ ...scheduled, startsAt: '2026-02-30 09:00' })).toEqual([
      'startsAt：没有这个时间，请检查日期',
    ])
    expect(await reasons({ ...scheduled, startsAt: '2026/12/01' })).toContain(
      'startsAt：时间应写成 2026-12-01 09:00（北京时间）',
    )
    const { endsAt: _, rankClosesAt: _closes, ...endless } = scheduled
    expect(await reasons(endless)).toEqual(['startsAt：开始与结束时间要一起写；都不写，考试随时可以参加'])
    expect(await reasons({ ...scheduled, endsAt: '2026-12-01 09:59' })).toEqual([
      'endsAt：从开始到结束要够考一场：至少 60 分钟',
    ])
    expect(await reasons({ ...scheduled, rankClosesAt: '2026-12-01 11:59' })).toEqual([
      'rankClosesAt：排名截止时间不能早于考试结束时间',
    ])
    expect(await reasons({ ...scheduled, minutes: 0 })).toEqual(['minutes：考试时长至少 1 分钟'])
    expect(await reasons({ ...scheduled, full: 4 })).toEqual(['试卷：各题分值之和为 3，与满分 4 不符'])
    expect(await reasons(examJson({ no: 'X', paper: [['Q_q1', 'Q_q1'], ['NOPE']] }))).toEqual([
      '试卷.sections[0].questions[1]：题目 Q_q1 重复：一套卷里一题只出现一次',
      '试卷.sections[1].questions[0]：题目 NOPE 不存在或已下架，请先导入题库',
    ])
  })

  test('of an exam whose results are out gives nobody more time, nor another date', async () => {
    const held = { ...scheduled, no: 'HELD' }
    await publishExam(server.db, held)
    const later = { ...held, rankClosesAt: '2026-12-01 21:00' }
    const found = async (json: object, now: number) =>
      (await checkExam(server.db, 'exam.json', json, now)).findings.filter(({ level }) => level === 'fault')
    const closes = START + 11 * HOUR
    expect(await found(later, closes - 1)).toEqual([])
    expect(await found(held, closes)).toEqual([])
    const fault = {
      at: 'rankClosesAt',
      reason: '成绩与解析已于 2026-12-01 20:00 公布，不能再延期；要再考一场，请换一个编号',
    }
    expect(await found(later, closes)).toMatchObject([fault])
    const moved = { startsAt: '2027-12-01 09:00', endsAt: '2027-12-01 12:00', rankClosesAt: '2027-12-01 20:00' }
    expect(await found({ ...held, ...moved }, closes)).toMatchObject([fault])
  })

  test('a scheduled paper of questions that anybody can read asks for a yes, until its results are out', async () => {
    const warned = async (json: object, now = 0) => (await checkExam(server.db, 'exam.json', json, now)).findings
    expect(await warned(scheduled)).toMatchObject([
      { level: 'consent', reason: expect.stringContaining('6 道题不参加考试也能看到答案，如 Q_q1') },
    ])
    expect(await warned({ ...scheduled, no: 'PAST' }, START + 11 * HOUR)).toEqual([])
    expect(await warned(examJson({ no: 'OPEN', paper: [nos(1, 3)] }))).toEqual([])
    const shut = bankJson({ prefix: 'S', chapters: 1, perChapter: 2 })
    await importBank(server.db, server.mediaDir, { ...shut, library: { ...shut.library, setsOnly: true } })
    expect(await warned({ ...scheduled, ...examJson({ no: 'SHUT', paper: [['S_q1', 'S_q2']] }) })).toEqual([])
  })

  test('a library whose questions an exam keeps is opened when its results are out, or with a yes', async () => {
    const kept = bankJson({ prefix: 'H', chapters: 1, perChapter: 2 })
    const shut = { ...kept, library: { ...kept.library, setsOnly: true } }
    const open = { ...kept, library: { ...kept.library, setsOnly: false } }
    await importBank(server.db, server.mediaDir, shut)
    await publishExam(server.db, { ...scheduled, ...examJson({ no: 'KEEPS', paper: [['H_q1', 'H_q2']] }) })
    const closes = START + 11 * HOUR
    const opened = (at: number, consented = false) =>
      importBank(server.db, server.mediaDir, open, { at, consented }).then(() => true, String)
    expect(await opened(closes - 1)).toMatch(/题库 H 有 2 道题在成绩还没有公布的考试 KEEPS 里[^]*--yes/)
    // Closed as it is, it is changed as ever.
    await importBank(server.db, server.mediaDir, shut, { at: closes - 1 })
    expect(await opened(closes - 1, true)).toBe(true)
    await importBank(server.db, server.mediaDir, shut)
    expect(await opened(closes)).toBe(true)
  })

  test('again it changes what changed, and who has applied stays', async () => {
    const { token } = await server.student()
    await publishExam(server.db, examJson({ no: 'AGAIN', paper: [['Q_q1', 'Q_q2']] }))
    await server.call(apply, { no: 'AGAIN' }, token)
    const renamed = { ...examJson({ no: 'AGAIN', paper: [['Q_q1', 'Q_q2']] }), title: '改名' }
    expect(await publishExam(server.db, renamed)).toBe('same')
    expect(await publishExam(server.db, { ...renamed, partial: 'none' })).toBe('changed')
    expect(await server.call(detail, { no: 'AGAIN' }, token)).toMatchObject({
      title: '改名',
      partial: 'none',
      applied: true,
      applyCount: 1,
    })
    const papers = await server.db.selectFrom('exam_paper').select('rev').where('exam_no', '=', 'AGAIN').execute()
    expect(papers).toHaveLength(2)
  })

  test('by the operator’s command: sets and exams together, all or none, and out again as a file', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-exams-'))
    const saved = (name: string, json: unknown) => {
      const file = path.join(folder, name)
      writeFileSync(file, JSON.stringify(json))
      return file
    }
    const set = { file: saved('set.json', setJson({ no: 'WITH', papers: [[['Q_q1']]] })), kind: 'set' as const }
    // To come whenever the test runs: commands go by the real time.
    const far = { startsAt: '2099-12-01 09:00', endsAt: '2099-12-01 12:00', rankClosesAt: '2099-12-01 20:00' }
    const good = { ...scheduled, ...far, no: 'CMD' }
    const exam = { file: saved('exam.json', good), kind: 'exam' as const }
    const twice = { file: saved('twice.json', good), kind: 'exam' as const }
    const refused = await takePublished(server.db, 'import', [set, exam, twice], false, server.mediaDir)
    expect(refused.code).toBe(1)
    expect(refused.lines.join('\n')).toMatch(
      /考试编号 CMD 在 .*exam\.json 与 .*twice\.json 里都有[\s\S]*未发布任何内容/,
    )
    expect(await server.ask(contract.questionSet.detail, { no: 'WITH' })).toMatchObject({ status: 0 })

    const told = async (command: string) => {
      const { code, lines } = await takePublished(server.db, command, [set, exam], false, server.mediaDir)
      return [code, lines.join('\n')]
    }
    expect(await told('check')).toEqual([0, expect.stringMatching(/须确认 试卷：6 道题不参加考试也能看到答案/)])
    expect(await told('import')).toEqual([
      1,
      expect.stringMatching(/须确认 试卷[^]*未发布任何内容。确认无误，请加 --yes/),
    ])
    expect(await server.ask(detail, { no: 'CMD' })).toMatchObject({ status: 0 })
    const done = await takePublished(server.db, 'import', [set, exam], false, server.mediaDir, { consented: true })
    expect(done.lines.join('\n')).toMatch(/set\.json：新增 1 套[\s\S]*exam\.json：新增考试/)
    const out = await givePublished(server.db, 'CMD', undefined, server.mediaDir)
    expect(await checkExam(server.db, 'out.json', JSON.parse(out.lines.join('')))).toEqual({
      ...(await checkExam(server.db, 'out.json', good)),
    })
    const again = await takePublished(server.db, 'import', [exam], true, server.mediaDir, { consented: true })
    expect(JSON.parse(again.lines.join(''))).toMatchObject([{ total: 6, written: 'same' }])
    expect((await givePublished(server.db, 'NONE', undefined, server.mediaDir)).lines).toEqual([
      '没有编号为 NONE 的内容',
    ])
  })

  test('does not take a number that a set has', async () => {
    await publish(server.db, setJson({ no: 'TAKEN', papers: [[['Q_q1']]] }))
    for (const [no, by] of [
      ['TAKEN', '题集'],
      ['TAKEN_1', '套卷'],
    ] as const)
      expect(await reasons(examJson({ no, paper: [['Q_q1']] }))).toEqual([`no：编号 ${no} 已被${by}使用`])
  })
})
