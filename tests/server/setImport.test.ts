import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import os from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { takePublished } from '#server/bin/publishCommands.ts'
import { checkFile } from '#server/content/bank/import.ts'
import { checkSet } from '#server/content/publish/setFile.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publish, setJson } from '#tests/support/sets.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-sets-'))
for (const name of ['a', 'b'])
  writeFileSync(
    path.join(folder, `${name}.svg`),
    `<svg xmlns="http://www.w3.org/2000/svg"><title>${name}</title></svg>`,
  )
const saved = (name: string, json: unknown) => {
  const file = path.join(folder, name)
  writeFileSync(file, JSON.stringify(json))
  return file
}

const sets = (files: readonly string[]) => files.map((file) => ({ file, kind: 'set' as const }))

const choice = { type: 'single', chapter: 'T_c1', options: ['甲', '乙'], answer: 'A', analysis: '略' }
/** Pairs that differ in a sign or a picture, or only in their numbers. */
const stems = {
  T_plus: '计算 $3+2$ 的值',
  T_minus: '计算 $3-2$ 的值',
  T_comma: '下列断句正确的是：他说，好',
  T_quote: '下列断句正确的是：他说：“好”',
  T_left: '如图，阴影面积是<img src="a.svg">',
  T_right: '如图，阴影面积是<img src="b.svg">',
  T_same: '最短的一题',
  T_again: '最短的 一题',
}
const material = (no: string, part: string) => ({
  no,
  chapter: 'T_c1',
  type: 'composite',
  stem: '同一则材料',
  parts: [{ ...choice, stem: part }],
})
const bank = {
  ...bankJson({ prefix: 'T', chapters: 1, perChapter: 0 }),
  questions: [
    ...Object.entries(stems).map(([no, stem]) => ({ ...choice, no, stem })),
    material('T_m1', '第一问'),
    material('T_m2', '第二问'),
  ],
}

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'Q', chapters: 1, perChapter: 20 }))
})
afterAll(() => server.close())

describe('questions that look alike', () => {
  test('are those that differ in nothing that a student sees: not in a sign, a formula, a picture or a part', async () => {
    const { findings, placed } = await checkFile(saved('bank.json', bank), null)
    expect(placed).toHaveLength(10)
    expect(findings.map(({ level, at, reason }) => [level, at, reason])).toEqual([
      ['warning', 'questions[3]', '与questions[2]只差几个字或标点，请核对是否重复'],
      ['warning', 'questions[7]', '与questions[6]内容相同，请核对是否重复'],
    ])
  })

  test('are only pointed out in a set, which is published all the same', async () => {
    await importBank(server.db, server.mediaDir, {
      ...bank,
      questions: bank.questions.filter(({ stem }) => !stem.includes('img')),
    })
    const nos = ['T_plus', 'T_minus', 'T_comma', 'T_quote', 'T_same', 'T_again', 'T_m1', 'T_m2']
    const json = setJson({ no: 'ALIKE', papers: [[nos]] })
    const { findings } = await checkSet(server.db, 'set.json', json)
    expect(findings.map(({ level, reason }) => [level, reason])).toEqual([
      ['warning', '题目 T_again 与 T_same 内容相同，请确认不是重复'],
    ])
    await publish(server.db, json)
    const told = await takePublished(server.db, 'import', sets([saved('alike.json', json)]), false, server.mediaDir)
    expect(told).toMatchObject({ code: 0, lines: expect.arrayContaining([expect.stringMatching(/错误 0，提醒 1$/)]) })
    expect(told.lines[1]).toMatch(/^ {2}提醒 items\[0\]/)
  })
})

describe('two files of one import', () => {
  test('that claim one paper are refused, and both are named', async () => {
    const second = setJson({ no: 'TWO', papers: [[['Q_q2']]] })
    second.items[0] = { ...second.items[0], no: 'ONE_1' } as (typeof second.items)[number]
    const files = [saved('one.json', setJson({ no: 'ONE', papers: [[['Q_q1']]] })), saved('two.json', second)]
    const { code, lines } = await takePublished(server.db, 'import', sets(files), false, server.mediaDir)
    expect(code).toBe(1)
    expect(lines.join('\n')).toContain(`套卷编号 ONE_1 在 ${files[0]} 与 ${files[1]} 里都有：一个编号只写在一个文件里`)
    expect(await server.ask(contract.questionSet.detail, { no: 'ONE' })).toMatchObject({ status: 0 })
  })

  test('that claim one set are refused, and both are named', async () => {
    const files = ['x.json', 'y.json'].map((name, i) =>
      saved(name, setJson({ no: 'SAME', papers: [[[`Q_q${i + 1}`]]] })),
    )
    const { code, lines } = await takePublished(server.db, 'check', sets(files), false, server.mediaDir)
    expect(code).toBe(1)
    expect(lines.join('\n')).toContain(`题集编号 SAME 在 ${files[0]} 与 ${files[1]} 里都有`)
  })
})

test('a table of questions for sets alone says so by an option', async () => {
  const file = path.join(folder, 'rows.csv')
  writeFileSync(file, '题干,选项A,选项B,答案\n甲,一,二,A\n')
  const options = { library: 'K', title: '题', subject: { no: 's', name: '科' }, directions: [], areas: [] }
  const read = async (more: object) =>
    (await checkFile(file, { ...options, chapter: '综合', headers: {}, ...more })).bank?.library.setsOnly
  expect([await read({}), await read({ setsOnly: true })]).toEqual([undefined, true])
})

test('a paid set is told which of its questions anybody has already', async () => {
  const nos = Array.from({ length: 12 }, (_, i) => `Q_q${i + 1}`)
  const paid = { ...setJson({ no: 'PAID', papers: [[nos]] }), price: 990 }
  const { findings } = await checkSet(server.db, 'paid.json', paid)
  expect(findings).toMatchObject([{ level: 'warning', at: 'items[0]', reason: /^2 道题不购买也能看到.*如 Q_q11/ }])
  const closed = bankJson({ prefix: 'C', chapters: 1, perChapter: 12 })
  await importBank(server.db, server.mediaDir, { ...closed, library: { ...closed.library, setsOnly: true } })
  const own = { ...setJson({ no: 'OWN', papers: [[nos.map((no) => no.replace('Q', 'C'))]] }), price: 990 }
  expect((await checkSet(server.db, 'own.json', own)).findings).toEqual([])
})
