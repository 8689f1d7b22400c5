import { describe, expect, test } from 'vitest'
import { readPaper } from '#tests/support/readPaper.ts'

const OPTIONS = 'A．一 B．二 C．三 D．四\n'
const asked = (label: string, stem: string) => `${label}${stem}（  ）。\n${OPTIONS}`

describe('numbers of a pasted paper', () => {
  test.each([
    ['1． then （2） then 3、', ['1．', '（2）', '3、']],
    ['1. then 2) then 3）', ['1. ', '2) ', '3）']],
    ['1. then 第2题 then ３．', ['1. ', '第2题 ', '３．']],
    ['1. then 2 with a space alone', ['1. ', '2 ', '3. ']],
    ['1. then 【2】 then ［3］', ['1. ', '【2】', '［3］']],
    ['1. then ② then ③', ['1. ', '② ', '③ ']],
  ])('a style that changes in the middle merges no questions: %s', async (_, labels) => {
    const { questions, findings } = await readPaper(
      `一、单项选择题\n${labels.map((label, i) => asked(label, '甲乙丙'[i] ?? '')).join('')}参考答案\n1-3 BCA\n`,
    )
    expect(findings).toEqual([])
    expect(questions).toMatchObject([
      { stem: expect.stringMatching(/^甲（ *）。$/), key: ['B'] },
      { stem: expect.stringMatching(/^乙（ *）。$/), key: ['C'] },
      { stem: expect.stringMatching(/^丙（ *）。$/), key: ['A'] },
    ])
  })

  test('a numbered list within a stem stays in it, whatever its style', async () => {
    const { questions } = await readPaper(
      `1．下列说法正确的有几个\n①甲说\n②乙说\n(1) 丙说\n(2) 丁说\n${OPTIONS}答案：B\n2．次问\n${OPTIONS}答案：A\n`,
    )
    expect(questions).toMatchObject([
      { stem: expect.stringContaining('丁说'), key: ['B'] },
      { stem: '次问', key: ['A'] },
    ])
  })

  test('a number that is left out is told', async () => {
    const { findings } = await readPaper(
      `${asked('1．', '甲')}答案：B\n${asked('3．', '丙')}答案：A\n${asked('4．', '丁')}答案：C\n`,
    )
    expect(findings).toContain('warning 第4行 题号从 1 跳到 3，请核对有没有漏题、或两题连在一起')
  })
})

describe('the list of answers at the end', () => {
  test.each([
    ['behind the heading', '一、1.B 2.A 3.D'],
    ['behind the name of the part', '一、单项选择题 1.B 2.A 3.D'],
    ['in a run behind the heading', '一、1-3 BAD'],
    ['behind the heading with points', '一、选择题（每题 2 分）1．B 2．A 3．D'],
  ])('keeps its first answer: %s', async (_, line) => {
    const { questions, findings } = await readPaper(
      `一、单项选择题\n${asked('1．', '甲')}${asked('2．', '乙')}${asked('3．', '丙')}二、判断题\n1．声音能在真空中传播。\n参考答案\n${line}\n二、1.×\n`,
    )
    expect(findings).toEqual([])
    expect(questions).toMatchObject([{ key: ['B'] }, { key: ['A'] }, { key: ['D'] }, { type: 'judge', key: ['B'] }])
  })

  test('an answer without a question, and a run of another length, are told', async () => {
    const paper = `${asked('1．', '甲')}${asked('2．', '乙')}参考答案\n`
    expect((await readPaper(`${paper}1.B 2.A 3.D\n`)).findings).toEqual([
      'warning 第6行 答案里有第 3 题，试卷里没有这道题，请核对题号',
    ])
    expect((await readPaper(`${paper}1-2 BAD\n`)).findings).toContain(
      'warning 第6行 “1-2 BAD”有 2 题、3 个答案，没有采用',
    )
  })
})
