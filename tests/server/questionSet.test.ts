import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { fullMarks } from '#src/domain/paper/paper.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { publishedIn } from '#server/content/publish/paperFile.ts'
import { checkSet, exportSet, writeCheckedSet } from '#server/content/publish/setFile.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const { list, detail, paper } = contract.questionSet
const GONE = { status: 0, msg: '题集不存在或已下架，请返回看看其他题集', data: null }
const JG = { sg_key: 'jg', area: '11' }
const choice = { type: 'single', options: ['甲', '乙', '丙'], answer: 'B', analysis: '略' }

/** Twelve choices, a material of three, and a choice. */
function bank() {
  const plain = bankJson({ prefix: 'Q', chapters: 1, perChapter: 12 })
  const material = {
    no: 'Q_m',
    chapter: 'Q_c1',
    type: 'composite',
    stem: '材料一则',
    parts: ['小一', '小二', '小三'].map((stem) => ({ ...choice, stem })),
  }
  return {
    ...plain,
    questions: [...plain.questions, material, { ...choice, no: 'Q_last', chapter: 'Q_c1', stem: '最后' }],
  }
}
const nos = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `Q_q${from + i}`)

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bank())
  await publish(server.db, setJson({ no: 'FREE', papers: [[nos(1, 6), ['Q_m']], [nos(7, 12)]] }))
  await publish(server.db, {
    ...setJson({ no: 'PAID', papers: [[nos(1, 8), ['Q_m', 'Q_last']], [nos(9, 12)]] }),
    price: 990,
    vip: true,
  })
  await publish(server.db, { ...setJson({ no: 'TG', papers: [[['Q_q1']]] }), directions: ['tg'] })
  await publish(server.db, { ...setJson({ no: 'SD', papers: [[['Q_q1']]] }), areas: ['37'] })
})
afterAll(() => server.close())

describe('a list of sets', () => {
  test('has what is for the direction and area, with what a student chooses by', async () => {
    expect(await server.call(list, {}, '', JG)).toEqual([
      {
        no: 'FREE',
        title: 'FREE 仿真卷',
        kind: 'mock',
        price: 0,
        vip: false,
        trial: 10,
        open: true,
        byVip: false,
        count: 15,
        papers: ['FREE_1', 'FREE_2'],
      },
      {
        no: 'PAID',
        title: 'PAID 仿真卷',
        kind: 'mock',
        price: 990,
        vip: true,
        trial: 10,
        open: false,
        byVip: false,
        count: 16,
        papers: ['PAID_1', 'PAID_2'],
      },
    ])
  })
  test.each([
    [{ sg_key: 'tg', area: '0' }, ['FREE', 'PAID', 'TG', 'SD']],
    [{ sg_key: 'jg', area: '37' }, ['FREE', 'PAID', 'SD']],
  ])('in scope %j: %j', async (scope, expected) => {
    expect((await server.call(list, {}, '', scope)).map(({ no }) => no)).toEqual(expected)
  })
})

describe('a set in detail', () => {
  test('says of each paper what there is, as students count, with whole marks', async () => {
    const { items, intro } = await server.call(detail, { no: 'FREE' })
    expect(intro).toBe('仿真样例')
    expect(items).toEqual([
      { no: 'FREE_1', title: '第1套', count: 9, full: 1350, minutes: 60, partial: 'half', locked: 0 },
      { no: 'FREE_2', title: '第2套', count: 6, full: 900, minutes: 60, partial: 'half', locked: 0 },
    ])
  })
  test('that has a price says how much of each paper is locked, to a visitor and to a student who does not own it', async () => {
    const { token } = await server.student()
    for (const who of ['', token]) {
      const { items, open } = await server.call(detail, { no: 'PAID' }, who)
      expect(open).toBe(false)
      expect(items.map(({ count, locked }) => [count, locked])).toEqual([
        [12, 1],
        [4, 4],
      ])
    }
  })
  test('that does not exist is told, not a fault', async () =>
    expect(await server.ask(detail, { no: 'NONE' })).toEqual(GONE))
})

describe('a paper', () => {
  test('comes whole, in sections, as the contract says, though it is ready text', async () => {
    const whole = await server.call(paper, { no: 'FREE', itemNo: 'FREE_1' })
    expect(v.is(paper.output, whole)).toBe(true)
    expect(whole.sections.map(({ title, entries }) => [title, entries.length])).toEqual([
      ['第1大题', 6],
      ['第2大题', 1],
    ])
    expect(whole.sections[1]?.entries[0]?.scores).toEqual([150, 150, 150])
    expect(fullMarks(whole.sections)).toBe(whole.full)
    expect(whole.sections[0]?.entries[0]).toMatchObject({ chapterNo: 'Q_c1', libraryNo: 'Q' })
  })
  test('of a paid set gives ten questions to try, the material whole, over all its papers; the rest stays on the server', async () => {
    const first = await server.call(paper, { no: 'PAID', itemNo: 'PAID_1' })
    const given = first.sections.flatMap(({ entries }) => entries.flatMap(({ question }) => partsOf(question)))
    expect(given.map(({ no }) => no)).toEqual([...nos(1, 8), 'Q_m_1', 'Q_m_2', 'Q_m_3'])
    expect([first.locked, first.count]).toEqual([1, 12])
    expect(JSON.stringify(await server.ask(paper, { no: 'PAID', itemNo: 'PAID_2' }))).not.toContain('stem')
  })
  test.each([
    ['of another set', { no: 'FREE', itemNo: 'PAID_1' }],
    ['that does not exist', { no: 'FREE', itemNo: 'NONE' }],
  ])('%s is told', async (_, input) => expect(await server.ask(paper, input)).toEqual(GONE))

  test('stays as published when its library changes, and takes the change when it is published again', async () => {
    const read = async () => (await server.call(paper, { no: 'FREE', itemNo: 'FREE_2' })).sections[0]?.entries[0]
    const before = await read()
    const changed = bank()
    const at = changed.questions.findIndex(({ no }) => no === 'Q_q7')
    changed.questions[at] = { ...choice, no: 'Q_q7', chapter: 'Q_c1', stem: '改过的题' }
    await importBank(server.db, server.mediaDir, changed)
    expect(await read()).toEqual(before)
    await publish(server.db, setJson({ no: 'FREE', papers: [[nos(1, 6), ['Q_m']], [nos(7, 12)]] }))
    expect((await read())?.question.stem).toBe('改过的题')
    expect((await read())?.rev).not.toBe(before?.rev)
  })
  test('that its set no longer has leaves the list, and who opened it goes on in it', async () => {
    await publish(server.db, setJson({ no: 'OLD', papers: [[['Q_q1']], [['Q_q2']]] }))
    await publish(server.db, setJson({ no: 'OLD', papers: [[['Q_q1']]] }))
    expect((await server.call(detail, { no: 'OLD' })).items.map(({ no }) => no)).toEqual(['OLD_1'])
    expect((await server.call(paper, { no: 'OLD', itemNo: 'OLD_2' })).sections).toHaveLength(1)
  })
})

describe('a set file', () => {
  const judge = async (json: unknown) =>
    (await checkSet(server.db, 'set.json', json)).findings.map(({ at, reason }) => `${at}：${reason}`)
  const good = () => setJson({ no: 'NEW', papers: [[['Q_q1', 'Q_m']]] })
  const withPaper = (change: object) => ({ ...good(), items: good().items.map((item) => ({ ...item, ...change })) })
  const asked = (...questions: unknown[]) => withPaper({ sections: [{ title: '大题', questions }] })

  test('that is right has no fault and changes nothing by being checked', async () => {
    expect(await judge(good())).toEqual([])
    expect(await server.ask(detail, { no: 'NEW' })).toEqual(GONE)
  })
  test.each<[string, () => unknown, string]>([
    ['another format', () => ({ ...good(), format: 'lijian/1' }), 'format：format 应为 "lijian-set/1"'],
    ['a price in yuan', () => ({ ...good(), price: 9.9 }), 'price：应为整数'],
    [
      'a question that is not there',
      () => asked({ no: 'X', score: 1 }),
      'items[0].sections[0].questions[0]：题目 X 不存在或已下架，请先导入题库',
    ],
    [
      'the same question twice',
      () => asked({ no: 'Q_q1', score: 1 }, { no: 'Q_q1', score: 1 }),
      'items[0].sections[0].questions[1]：题目 Q_q1 重复：一套卷里一题只出现一次',
    ],
    [
      'a score too few for a material',
      () => asked({ no: 'Q_m', score: [1, 2] }),
      'items[0].sections[0].questions[0]：题目 Q_m 有 3 小题，给了 2 个分值',
    ],
    [
      'a thousandth of a mark',
      () => asked({ no: 'Q_q1', score: 0.125 }),
      'items[0].sections[0].questions[0].score：分值最多两位小数',
    ],
    ['marks that do not add up', () => withPaper({ full: 100 }), 'items[0]：各题分值之和为 6，与满分 100 不符'],
    ['no paper', () => ({ ...good(), items: [] }), 'items：至少要有一套卷'],
    [
      'a paper’s number that another set has',
      () => withPaper({ no: 'FREE_1' }),
      'items：套卷编号 FREE_1 已被其他题集使用',
    ],
  ])('with %s is refused, saying where and why', async (_, json, expected) =>
    expect(await judge(json())).toContain(expected),
  )

  test('comes in whole or not at all', async () => {
    const faulty = await checkSet(server.db, 'b.json', asked({ no: 'X', score: 1 }))
    const fine = await checkSet(server.db, 'a.json', good())
    const both = server.db.transaction().execute(async (tx) => {
      for (const one of [fine, faulty]) await writeCheckedSet(tx, one)
    })
    await expect(both).rejects.toThrow('b.json：items[0].sections[0].questions[0]')
    expect(await server.ask(detail, { no: 'NEW' })).toEqual(GONE)
  })
  test('that was exported publishes the same papers again', async () => {
    const before = await server.call(paper, { no: 'FREE', itemNo: 'FREE_1' })
    const json = await exportSet(server.db, 'FREE')
    expect(json?.items[0]?.full).toBe(13.5)
    expect(await publish(server.db, json)).toEqual({ added: 0, changed: 0, retired: 0 })
    expect(await server.call(paper, { no: 'FREE', itemNo: 'FREE_1' })).toEqual(before)
    expect(await exportSet(server.db, 'NONE')).toBeNull()
  })
  test('is told from a bank by what it says of itself', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-sets-'))
    const write = (name: string, text: string) => {
      writeFileSync(path.join(folder, name), text)
      return path.join(folder, name)
    }
    expect(await publishedIn(write('set.json', JSON.stringify(good())))).toBe('set')
    expect(await publishedIn(write('bank.json', JSON.stringify(bank())))).toBe(null)
    expect(await publishedIn(write('rows.csv', '题干\n甲'))).toBe(null)
  })
})

describe("the operator's command", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-sets-'))
  const saved = (name: string, json: unknown) => {
    writeFileSync(path.join(folder, name), JSON.stringify(json))
    return path.join(folder, name)
  }
  const command = (...args: string[]) => {
    const DATABASE_URL = `postgres://postgres@localhost/${server.database}?host=${encodeURIComponent(server.socketFolder)}`
    const env = { ...process.env, DATABASE_URL, DATA_DIR: folder }
    return spawnSync(process.execPath, ['server/bin/content.ts', ...args], { env, encoding: 'utf8' })
  }
  const json = () => setJson({ no: 'CMD', papers: [[['Q_q1', 'Q_m']], [['Q_q2']]] })

  test('checks without importing, imports, exports, and says what became of each paper', async () => {
    const file = saved('set.json', json())
    expect(command('check', file)).toMatchObject({ status: 0, stdout: expect.stringContaining('共 5 题，错误 0') })
    expect(await server.ask(detail, { no: 'CMD' })).toEqual(GONE)
    expect(command('import', file).stdout).toContain('新增 2 套，更新 0，下架 0')
    expect((await server.call(detail, { no: 'CMD' })).items).toHaveLength(2)
    const out = path.join(folder, 'out.json')
    expect(command('export', 'CMD', out)).toMatchObject({ status: 0 })
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ no: 'CMD', items: [{ full: 6 }, { full: 1.5 }] })
    expect(command('import', out, '--json').stdout).toContain('"written":{"added":0,"changed":0,"retired":0}')
    expect(command('export', 'NONE')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('没有编号为 NONE 的内容'),
    })
  })
  test('imports none of several when one has a fault, and wants banks and sets apart', async () => {
    const good = saved('good.json', setJson({ no: 'GOOD', papers: [[['Q_q1']]] }))
    const bad = saved('bad.json', setJson({ no: 'BAD', papers: [[['X']]] }))
    const { status, stderr } = command('import', good, bad)
    expect(status).toBe(1)
    expect(stderr).toContain('题目 X 不存在或已下架')
    expect(stderr).toContain('未发布任何内容')
    expect(await server.ask(detail, { no: 'GOOD' })).toEqual(GONE)
    expect(command('check', good, saved('bank.json', bank()))).toMatchObject({ status: 2 })
  })
})
