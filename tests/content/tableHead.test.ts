import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-head-'))
let files = 0
async function read(content: string, headers: Record<string, string> = {}) {
  const file = path.join(folder, `${++files}.csv`)
  writeFileSync(file, content)
  const { placed, findings } = await checkFile(file, foreignLibrary('H', headers))
  return {
    questions: placed.map(({ question }) => question),
    faults: findings.filter(({ level }) => level === 'fault').map(({ reason }) => reason),
    findings: findings.map(({ reason }) => reason).filter((reason) => reason !== '没有解析'),
  }
}

describe('a column is known by what others call it', () => {
  test.each([
    '题型*,题干（必填）,A选项,B选项,正确答案,答案解析',
    '试题类型,试题内容,选项Ａ,选项Ｂ,标准答案,试题解析',
    ' 类型 ,题 目,选项 A,选项 B,参考答案（必填）,解析（选填）',
    '题目类型,题目【必填】,A,B,★答案,解析',
    'Type,Question,选项1,选项2,Answer,Explanation',
    '题型,问题,选项一,选项二,正确选项,详解',
  ])('%s', async (head) => {
    const { questions, findings } = await read(`${head}\n单选题,首都是,上海,北京,B,略\n`)
    expect(findings).toEqual([])
    expect(questions).toMatchObject([
      { type: 'single', stem: '首都是', options: [{ html: '上海' }, { html: '北京' }], key: ['B'], analysis: '略' },
    ])
  })

  test('a 类型 or type column that holds something else is refused with the option that leaves it out', async () => {
    const table = 'Type,题干,A,B,答案\n必考,首都是,上海,北京,B\n2,省会是,南京,苏州,A\n'
    const { questions, faults } = await read(table)
    expect(questions).toEqual([])
    const left = '“Type”列若不是题型，请加 --map Type=备注，不读这一列'
    expect(faults).toEqual([`题型“必考”无法识别；${left}`, `题型“2”无法识别；${left}`])
    expect((await read(table, { Type: '备注' })).questions).toMatchObject([{ type: 'single' }, { type: 'single' }])
    expect((await read(table.replace('Type', '题型'))).faults).toEqual(['题型“必考”无法识别', '题型“2”无法识别'])
  })

  test('rows may stand above the head: a title, who made it', async () => {
    const { questions, findings } = await read(
      '军考题库（2026）,,,\n制表：教研组,,,\n题目,A,B,答案\n首都是,上海,北京,B\n',
    )
    expect(findings).toEqual([])
    expect(questions).toMatchObject([{ stem: '首都是', key: ['B'] }])
  })

  test('our own name comes before another’s, which is told then', async () => {
    const { questions, findings } = await read('题干,题目,A,B,答案\n首都是,无关,上海,北京,B\n')
    expect(questions).toMatchObject([{ stem: '首都是' }])
    expect(findings).toEqual([expect.stringContaining('列“题目”没有读入')])
  })
})

test.each([
  ['a comma', ',', '甲;乙;丙;丁;戊'],
  ['a tab', '\t', '甲,乙;丙,丁;戊'],
  ['a semicolon', ';', '甲,乙,丙,丁,戊'],
])(
  '%s that parts the names of the head parts the cells, whatever else stands in them and above',
  async (_, sign, stem) => {
    const rows = [['军考题库，2026'], ['题目', 'A', 'B', '答案'], [`${stem}；选`, '上海', '北京', 'B']]
    const { questions, faults } = await read(rows.map((row) => `${row.join(sign)}\n`).join(''))
    expect(faults).toEqual([])
    expect(questions).toMatchObject([{ stem: `${stem}；选`, key: ['B'] }])
  },
)

describe('what cannot be known is asked for', () => {
  const rivals = '题目,A,B,正确答案,参考答案\n首都是,上海,北京,B,A\n'
  test('where two columns fit, with a proposal', async () => {
    const { questions, faults } = await read(rivals)
    expect(questions).toEqual([])
    expect(faults).toEqual(['“正确答案”“参考答案”都可能是“答案”列，请指明一列，如 --map 正确答案=答案'])
  })

  test('and is read as it was answered', async () => {
    const { questions } = await read(rivals, { 参考答案: '答案' })
    expect(questions).toMatchObject([{ key: ['A'] }])
  })

  test('options without a column of answers are refused, and are no essay', async () => {
    const { questions, faults } = await read('题目,A,B,对的是\n首都是,上海,北京,B\n')
    expect(questions).toEqual([])
    expect(faults).toEqual([
      expect.stringContaining('有选项列而没有“答案”列（有：题干、选项A、选项B、对的是）；请用 --map 对的是=答案'),
    ])
  })

  test('without a stem, a likely column is proposed', async () => {
    const { faults } = await read('小题,A,B,答案\n首都是,上海,北京,B\n')
    expect(faults).toEqual([expect.stringContaining('--map 小题=题干')])
  })
})
