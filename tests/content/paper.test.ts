import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-paper-'))
const options = foreignLibrary('W')
let files = 0
async function read(content: string | Buffer) {
  const file = path.join(folder, `${++files}.txt`)
  writeFileSync(file, content)
  const { bank, placed, findings } = await checkFile(file, options)
  const titles = new Map(bank?.chapters.map(({ no, title }) => [no, title]))
  return {
    questions: placed.map(({ question }) => question),
    chapters: placed.map(({ chapterNo }) => titles.get(chapterNo)),
    findings: findings.filter(({ reason }) => reason !== '没有解析').map(({ at, reason }) => `${at} ${reason}`),
  }
}

const PAPER = `军政基础模拟卷

第一章 军史常识
一、单项选择题（每题 1.5 分，共 2 题）
1．南昌起义发生在（  ）。
A．1921年    B．1927年
C．1935年    D．1949年
答案：B
解析：1927 年 8 月 1 日，
南昌起义打响。
2、古田会议确立了（ A ）。
A.思想建党、政治建军的原则 B.运动战 C.三大纪律 D.八项注意
二、多项选择题
3. 下列属于三大纪律的有：
①一切行动听指挥
②不拿群众一针一线
1. 这一行是题干里的列表
A．①  B．②  C．都不是
【答案】AB
【解析】三大纪律还有一切缴获要归公。
【难度】较易
【考点】纪律；军史
第二章 科学常识
一、判断题
1．声音可以在真空中传播。（×）
2．光年是长度单位。
答案 √
二、填空题
3．水的化学式是____，食盐是____。
参考答案：H2O；NaCl
三、材料题
阅读下面的材料，回答4-5题。
某部组织训练，第一天跑了3公里。
第二天跑了5公里。
4．两天共跑多少公里？
A．7 B．8 C．9
答案：B
5．说说训练为什么要循序渐进。
答案：避免受伤，逐步提高。
`

test.each([
  ['UTF-8', Buffer.from(PAPER)],
  ['GBK', iconv.encode(PAPER, 'gbk')],
  ['lines of Windows', Buffer.from(PAPER.replaceAll('\n', '\r\n'))],
])('a paper pasted from Word, %s', async (_, content) => {
  const { questions, chapters, findings } = await read(content)
  expect(findings).toEqual(['第1行 不属于任何题目，未导入：军政基础模拟卷'])
  expect(questions).toMatchObject([
    {
      type: 'single',
      stem: '南昌起义发生在（  ）。',
      options: [{ html: '1921年' }, { html: '1927年' }, { html: '1935年' }, { html: '1949年' }],
      key: ['B'],
      analysis: '<p>1927 年 8 月 1 日，</p><p>南昌起义打响。</p>',
    },
    { type: 'single', stem: '古田会议确立了（ ）。', key: ['A'] },
    {
      type: 'multiple',
      stem: '<p>下列属于三大纪律的有：</p><p>①一切行动听指挥</p><p>②不拿群众一针一线</p><p>1. 这一行是题干里的列表</p>',
      key: ['A', 'B'],
      difficulty: 2,
      points: [{ name: '纪律' }, { name: '军史' }],
    },
    { type: 'judge', stem: '声音可以在真空中传播。（ ）', key: ['B'] },
    { type: 'judge', key: ['A'] },
    { type: 'blank', blanks: [['H2O'], ['NaCl']] },
    {
      type: 'composite',
      parts: [
        { type: 'single', options: [{}, {}, {}], key: ['B'] },
        { type: 'essay', reference: '避免受伤，逐步提高。' },
      ],
    },
  ])
  expect(chapters).toEqual([...Array(3).fill('第一章 军史常识'), ...Array(4).fill('第二章 科学常识')])
})

test('a paper whose answers stand together at its end', async () => {
  const { questions } = await read(`一、选择题
1．1+1=（　　）
A．1　　B．2　　C．3
2．2+2=（　　）
A．3　　B．4　　C．5
3. 3的倍数有（ ）
A．3 B．6 C．7
二、判断题
1．0是自然数。
2．1是质数。
三、解答题
1．求 1 到 100 的和。

参考答案
一、选择题
1-2 BB  3. AB
二、判断题
1．√ 2．×
三、解答题
1．解：原式 = 5050
共 50 对，每对 101。
解析：首尾相加。
`)
  expect(questions).toMatchObject([
    { type: 'single', key: ['B'] },
    { type: 'single', key: ['B'] },
    { type: 'multiple', key: ['A', 'B'] },
    { type: 'judge', key: ['A'] },
    { type: 'judge', key: ['B'] },
    {
      type: 'essay',
      reference: '<p>解：原式 = 5050</p><p>共 50 对，每对 101。</p>',
      analysis: '首尾相加。',
    },
  ])
})

describe('the list of answers at the end', () => {
  const paper = Array.from(
    { length: 5 },
    (_, i) => `${i + 1}．第${i + 1}个问题是什么？\nA．甲${i} B．乙 C．丙 D．丁\n`,
  ).join('')
  /** Each question's answer by the list; '' where it was refused for want of one. */
  async function answered(list: string): Promise<string[]> {
    const { questions, findings } = await read(`${paper}参考答案\n${list}\n`)
    const keys = new Map(questions.map((each) => [each.stem, 'key' in each ? each.key.join('') : '']))
    const answers = [1, 2, 3, 4, 5].map((n) => keys.get(`第${n}个问题是什么？`) ?? '')
    // Whatever has no answer is reported, and nothing else is but the run itself.
    expect(findings.map((each) => each.replace(/^第\d+行 /, '')).filter((each) => !each.endsWith('没有采用'))).toEqual(
      answers.filter((answer) => answer === '').map(() => '缺少答案'),
    )
    return answers
  }

  test.each([
    ['five letters', '1-5 ABCDA', ['A', 'B', 'C', 'D', 'A']],
    ['four letters', '1-5 ABCD', ['', '', '', '', '']],
    ['six letters', '1-5 ABCDAB', ['', '', '', '', '']],
    ['one letter', '1-5 A', ['', '', '', '', '']],
  ])('a run for five questions with %s answers all of them or none', async (_, list, answers) => {
    expect(await answered(list)).toEqual(answers)
  })

  test.each([
    ['on the next line', '1-2 AB\n3-5 CD'],
    ['behind it', '1-2 AB  3-5 CD'],
    ['before it', '3-5 CD；1-2 AB'],
  ])('a run that does not fit leaves the answers of another run %s alone', async (_, list) => {
    expect(await answered(list)).toEqual(['A', 'B', '', '', ''])
  })

  test.each([
    ['each with its number', '1. ×；2. √； 3. 对。'],
    ['as a run', '1-3 ×√√。'],
    ['as two runs', '1-2 ×√；3-3 √；'],
  ])('the answers of one line, %s, may be parted and end with a sign', async (_, list) => {
    const { questions, findings } = await read(`1．一大于二。\n2．二大于一。\n3．三大于一。\n答案\n${list}\n`)
    expect(findings).toEqual([])
    expect(questions).toMatchObject([{ key: ['B'] }, { key: ['A'] }, { key: ['A'] }])
  })
})

test.each([
  ['each with its number', '1. A；2. B； 3. AC。'],
  ['each in its own line', '1. A。\n2. B；\n3. A、C。'],
])('letters in a list of answers, %s, may end with a sign', async (_, list) => {
  const { questions, findings } = await read(
    `一、单项选择题\n1．选一。\nA．一 B．二\n2．选二。\nA．一 B．二\n二、多项选择题\n3．选一、三。\nA．一 B．二 C．三\n答案\n${list}\n`,
  )
  expect(findings).toEqual([])
  expect(questions).toMatchObject([{ key: ['A'] }, { key: ['B'] }, { key: ['A', 'C'] }])
})

test('a heading of 不定项选择题 makes its questions 不定项, however many letters answer them', async () => {
  const { questions } = await read(
    '一、不定项选择题\n1．选哪些？\nA．甲 B．乙\n答案：B\n2．又选哪些？\nA．丙 B．丁\n答案：AB\n二、单项选择题\n1．选哪个？\nA．戊 B．己\n答案：A\n',
  )
  expect(questions.map(({ type }) => type)).toEqual(['indefinite', 'indefinite', 'single'])
})

test('several letters in the brackets of a stem may be parted by signs', async () => {
  const { questions, findings } = await read(
    '1．属于质数的有（ A、C ）。\nA．2 B．4 C．3\n2．属于偶数的有（B，C）\nA．1 B．2 C．4\n',
  )
  expect(findings).toEqual([])
  expect(questions).toMatchObject([
    { type: 'multiple', stem: '属于质数的有（ ）。', key: ['A', 'C'] },
    { type: 'multiple', key: ['B', 'C'] },
  ])
})

test('source, year and difficulty behind an answer are no part of it', async () => {
  const { questions, findings } = await read(
    '1．水的化学式是____。\n【答案】H2O\n【来源】模拟卷\n【年份】2023年\n【难度】4\n2．盐的化学式是____。\n答案：NaCl\n难度：很难\n',
  )
  expect(findings).toEqual([])
  expect(questions).toMatchObject([
    { type: 'essay', reference: 'H2O', source: '模拟卷', year: 2023, difficulty: 4 },
    { reference: 'NaCl', difficulty: 5 },
  ])
})

test('a question without an answer is told by its line', async () => {
  const { questions, findings } = await read('1. 甲还是乙？\nA. 甲 B. 乙\n2. 乙还是丙？\nA. 乙 B. 丙\n答案：B\n')
  expect(questions).toHaveLength(1)
  expect(findings).toEqual(['第1行 缺少答案'])
})

test('text with the braces of GIFT stays GIFT', async () => {
  expect((await read('首都是？{=北京 ~上海}\n')).questions).toMatchObject([{ type: 'single', key: ['A'] }])
})
