import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-judgements-'))
let files = 0
async function read(ending: string, content: string) {
  const file = path.join(folder, `${++files}.${ending}`)
  writeFileSync(file, content)
  const { placed, findings } = await checkFile(file, ending === 'json' ? null : foreignLibrary('P'))
  return {
    questions: placed.map(({ question }) => question),
    faults: findings.filter(({ level }) => level === 'fault').map(({ at, reason }) => `${at} ${reason}`),
  }
}
const table = (...rows: string[]) =>
  read('csv', ['题型,题干,选项A,选项B,选项C,答案,A解析,B解析', ...rows, ''].join('\n'))

describe('the options of a 判断题 say what a letter means', () => {
  test.each([
    ['错误 first, so A is 错', '错误,正确,,A', 'B'],
    ['错误 first, so B is 对', '错误,正确,,B', 'A'],
    ['正确 first', '正确,错误,,A', 'A'],
    ['marked with letters', 'A. ×,B. √,,B', 'A'],
    ['with a word for an answer', '错误,正确,,错误', 'B'],
    ['with signs for an answer', '×,√,,√', 'A'],
    ['cells that say nothing besides', '/,/,/,A', 'A'],
    ['no options at all', ',,,B', 'B'],
  ])('%s', async (_, cells, key) => {
    const { questions, faults } = await table(`判断题,太阳绕地球转。,${cells}`)
    expect(faults).toEqual([])
    expect(questions).toMatchObject([{ type: 'judge', options: [{ html: '对' }, { html: '错' }], key: [key] }])
  })

  test.each([
    ['options that are no pair of 对 and 错', '太阳,地球,,A', '判断题的选项应为一对一错，文件里是：太阳、地球'],
    ['options that say the same', '正确,正确,,A', '判断题的选项应为一对一错，文件里是：正确、正确'],
    ['a third option', '正确,错误,不确定,A', '判断题的选项应为一对一错，文件里是：正确、错误、不确定'],
    ['a letter without an option', '正确,错误,,C', '判断题答案“C”应为对或错'],
    ['both letters', '正确,错误,,AB', '判断题答案“AB”应为对或错'],
  ])('%s: refused', async (_, cells, reason) => {
    const { questions, faults } = await table(`判断题,太阳绕地球转。,${cells}`)
    expect(questions).toEqual([])
    expect(faults).toEqual([expect.stringContaining(`第2行 ${reason}`)])
  })

  test('the reason of an option stays with what it says', async () => {
    const { questions } = await table('判断题,太阳绕地球转。,错误,正确,,A,日心说,看反了')
    expect(questions).toMatchObject([
      {
        key: ['B'],
        options: [
          { html: '对', why: '看反了' },
          { html: '错', why: '日心说' },
        ],
      },
    ])
  })

  test.each(['A. 错误 B. 正确', '错误|正确', '错误/正确', '错误；正确', '"错误\n正确"'])(
    'both in one cell: %s',
    async (cell) => {
      const { questions, faults } = await read('csv', `题型,题干,选项,答案\n判断题,太阳绕地球转。,${cell},A\n`)
      expect(faults).toEqual([])
      expect(questions).toMatchObject([{ type: 'judge', key: ['B'] }])
    },
  )

  test('in a paper: what is below the stem is no part of it', async () => {
    const { questions, faults } = await read(
      'txt',
      '一、判断题\n1．太阳绕地球转。\nA．错误　B．正确\n答案：A\n2．点 A、B 之间线段最短。\n答案：对\n',
    )
    expect(faults).toEqual([])
    expect(questions).toMatchObject([
      { type: 'judge', stem: '太阳绕地球转。', key: ['B'] },
      { type: 'judge', stem: '点 A、B 之间线段最短。', key: ['A'] },
    ])
  })

  test('in the JSON of our own', async () => {
    const question = { chapter: 'c', type: 'judge', analysis: '略', options: ['错误', '正确'], answer: 'A' }
    const { questions, faults } = await read(
      'json',
      JSON.stringify({
        format: 'lijian/1',
        subject: { no: 's', name: '科' },
        library: { no: 'J', title: '库' },
        chapters: [{ no: 'c', parent: null, title: '章' }],
        questions: [
          { ...question, stem: '太阳绕地球转。' },
          { ...question, stem: '地球是圆的。', options: ['甲', '乙'] },
        ],
      }),
    )
    expect(questions).toMatchObject([{ type: 'judge', key: ['B'] }])
    expect(faults).toEqual(['questions[1] 判断题的选项应为一对一错，文件里是：甲、乙；请核对题型和答案'])
  })

  test('in QTI 1.2', async () => {
    const choice = (id: string, text: string) =>
      `<response_label ident="${id}"><material><mattext>${text}</mattext></material></response_label>`
    const { questions } = await read(
      'xml',
      `<questestinterop><item ident="i1"><presentation><material><mattext>太阳绕地球转。</mattext></material>
      <response_lid ident="r" rcardinality="Single"><render_choice>${choice('1', '错误')}${choice('2', '正确')}</render_choice></response_lid>
      </presentation><resprocessing><respcondition><conditionvar><varequal respident="r">1</varequal></conditionvar>
      <setvar>100</setvar></respcondition></resprocessing></item></questestinterop>`,
    )
    expect(questions).toMatchObject([{ type: 'judge', key: ['B'] }])
  })
})
