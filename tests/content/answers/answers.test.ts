import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import writeExcelFile from 'write-excel-file/node'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-answers-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
async function checked(file: string) {
  const { placed, findings } = await checkFile(file, foreignLibrary('A'))
  return {
    questions: placed.map(({ question }) => question),
    faults: findings.filter(({ level }) => level === 'fault').map(({ reason }) => reason),
  }
}
function read(ending: string, content: string) {
  const file = path.join(folder, `${++files}.${ending}`)
  writeFileSync(file, content)
  return checked(file)
}
/** A row of a table whose options are 甲, 乙, 丙 and 丁. */
const answered = (type: string, answer: string, level = '') =>
  read(
    'csv',
    `题型,题干,选项A,选项B,选项C,选项D,答案,难度\n${type},干支里排在前面的是（ ）,甲,乙,丙,丁,"${answer}",${level}\n`,
  )

describe('an answer names options', () => {
  test.each([
    ['B', ['B']],
    ['选B', ['B']],
    ['故选 B。', ['B']],
    ['答案：B', ['B']],
    ['正确答案：选（B）', ['B']],
    ['【答案】B', ['B']],
    ['【答案】：B', ['B']],
    ['B项', ['B']],
    ['B.乙', ['B']],
    ['B、乙', ['B']],
    ['（B）乙', ['B']],
    ['Ｂ．乙', ['B']],
    ['B 乙', ['B']],
    ['乙', ['B']],
    ['乙。', ['B']],
    ['答案：乙', ['B']],
  ])('单选 %s', async (answer, key) => {
    const { questions, faults } = await answered('单选', answer)
    expect(faults).toEqual([])
    expect(questions).toMatchObject([{ type: 'single', key }])
  })

  test.each([
    ['A|B', ['A', 'B']],
    ['A/B', ['A', 'B']],
    ['A+B', ['A', 'B']],
    ['A｜C', ['A', 'C']],
    ['A&D', ['A', 'D']],
    ['A项、C项', ['A', 'C']],
    ['选ACD', ['A', 'C', 'D']],
    ['C.丙 A.甲', ['A', 'C']],
    ['A.甲；C.丙', ['A', 'C']],
    ['甲；丙', ['A', 'C']],
    ['丙、甲', ['A', 'C']],
    ['甲|丁', ['A', 'D']],
  ])('多选 %s', async (answer, key) => {
    const { questions, faults } = await answered('多选', answer)
    expect(faults).toEqual([])
    expect(questions).toMatchObject([{ type: 'multiple', key }])
  })

  test.each([
    ['B.丙', '答案“B.丙”里，字母 B 与写的内容不一致：选项 B 是“乙”'],
    ['A.甲 C.丁', '答案“A.甲 C.丁”里，字母 C 与写的内容不一致：选项 C 是“丙”'],
    ['戊', '答案“戊”不是选项字母，也不是选项的内容'],
    ['甲；戊', '答案“甲；戊”不是选项字母，也不是选项的内容'],
    ['A/B', '单选题有多个答案，请改为多选题'],
    ['E', '答案 E 不在选项中'],
    ['选', '答案“选”不是选项字母，也不是选项的内容'],
  ])('单选 %s is refused, and the reason says what is wrong', async (answer, reason) => {
    const { questions, faults } = await answered('单选', answer)
    expect([questions, faults]).toEqual([[], [reason]])
  })

  test('an option whose text begins with 选, or holds a letter and a point, is itself', async () => {
    const rows = [
      '单选,干部由谁产生（ ）,选举,推荐,选举',
      '单选,这是哪种维生素（ ）,维生素 C. 片,维生素 B,维生素 C. 片',
    ]
    const { questions, faults } = await read('csv', `题型,题干,选项A,选项B,答案\n${rows.join('\n')}\n`)
    expect(faults).toEqual([])
    expect(questions).toMatchObject([{ key: ['A'] }, { key: ['A'] }])
  })

  test('numbers in a worksheet are the texts of options', async () => {
    const file = path.join(folder, 'numbers.xlsx')
    const row = (...values: (string | number)[]) => values.map((value) => ({ value }))
    await writeExcelFile([row('题型', '题干', '选项A', '选项B', '答案'), row('单选', '1+1=（ ）', 3, 2, 2)]).toFile(
      file,
    )
    expect((await checked(file)).questions).toMatchObject([{ key: ['B'] }])
  })

  test('without a type it is told from how many are named', async () => {
    expect((await answered('', '甲；丙')).questions).toMatchObject([{ type: 'multiple' }])
    expect((await answered('', '选C')).questions).toMatchObject([{ type: 'single' }])
  })

  test('a pasted paper has them, too', async () => {
    const paper =
      '一、单选题\n1．排在第二的是（ ）\nA．甲\nB．乙\nC．丙\nD．丁\n答案：选B\n2．排在第三的是（ ）\nA．甲\nB．乙\nC．丙\nD．丁\n答案：C．丙\n'
    expect((await read('txt', paper)).questions).toMatchObject([{ key: ['B'] }, { key: ['C'] }])
  })
})

test.each([
  ['答案：正确', 'A'],
  ['选B', 'B'],
  ['B.错误', 'B'],
  ['V', 'A'],
  ['T', 'A'],
  ['×。', 'B'],
])('判断 %s', async (answer, key) => {
  const { questions } = await read('csv', `题型,题干,选项A,选项B,答案\n判断,雪是白的。,正确,错误,${answer}\n`)
  expect(questions).toMatchObject([{ type: 'judge', key: [key] }])
})

test('the label of an answer is no part of what fills a blank', async () => {
  const { questions } = await read('csv', '题型,题干,答案\n填空,首都是____。,答案：北京\n')
  expect(questions).toMatchObject([{ type: 'blank', blanks: [['北京']] }])
})

test('the label stays in a reference, which is told as it is written', async () => {
  const { questions } = await read('csv', '题型,题干,答案\n简答,为什么？,【答案】①因为甲。②因为乙。\n')
  expect(questions).toMatchObject([{ type: 'essay', reference: '【答案】①因为甲。②因为乙。' }])
})

describe('难度', () => {
  test.each([
    ['3', 3],
    ['5星', 5],
    ['★★★☆☆', 3],
    ['⭐⭐', 2],
    ['易', 1],
    ['较易', 2],
    ['很容易', 1],
    ['中等', 3],
    ['中等难度', 3],
    ['较难', 4],
    ['难题', 5],
    ['非常难', 5],
    ['0.95', 1],
    ['0.65', 3],
    ['25%', 5],
    ['难度：中', 3],
  ])('%s', async (level, difficulty) => {
    expect((await answered('单选', 'A', level)).questions).toMatchObject([{ difficulty }])
  })

  test.each(['6', '0', '奇怪', '★★★★★★', '3.5'])('%s is refused', async (level) => {
    const { questions, faults } = await answered('单选', 'A', level)
    expect([questions, faults]).toEqual([[], ['难度应为1到5的整数（也可写 易、中、难 或 ★）']])
  })
})
