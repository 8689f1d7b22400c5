import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { plainText } from '#src/domain/text/plainText.ts'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-glued-'))
let files = 0
async function read(ending: string, content: string) {
  const file = path.join(folder, `${++files}.${ending}`)
  writeFileSync(file, content)
  const { placed, total, findings } = await checkFile(file, foreignLibrary('G'))
  return {
    total,
    options: placed.map(({ question }) =>
      'options' in question ? question.options.map(({ html }) => plainText(html)) : [],
    ),
    findings: findings
      .filter(({ reason }) => reason !== '没有解析')
      .map(({ level, at, reason }) => `${level} ${at} ${reason}`),
  }
}
/** The same options as they stand in a pasted paper, in a cell of a table and in the stem of one. */
const PLACES: [string, (options: string) => ReturnType<typeof read>][] = [
  ['a pasted paper', (options) => read('txt', `1．下列正确的是（  ）。\n${options}\n答案：B\n`)],
  ['a cell 选项', (options) => read('csv', `题干,选项,答案\n下列正确的是,"${options}",B\n`)],
  ['the stem of a table', (options) => read('csv', `题干,答案\n"下列正确的是（ ）\n${options}",B\n`)],
]

describe.each(PLACES)('options glued on one line in %s', (_, place) => {
  test.each([
    ['A.1840B.1842C.1856D.1860', ['1840', '1842', '1856', '1860']],
    ['A:甲B:乙C:丙', ['甲', '乙', '丙']],
    ['A、甲B、乙', ['甲', '乙']],
    ['A．甲B．乙', ['甲', '乙']],
    ['A.25%B.50%C.75%D.100%', ['25%', '50%', '75%', '100%']],
    ['A.1.5B.2.5C.3D.4', ['1.5', '2.5', '3', '4']],
    ['(A)1840(B)1842(C)1856', ['1840', '1842', '1856']],
    ['A.CO2B.H2OC.NaClD.O2', ['CO2', 'H2O', 'NaCl', 'O2']],
    ['A. 水 B. H2OC. 盐 D. 糖', ['水', 'H2O', '盐', '糖']],
    ['A.维生素AB.维生素BC.维生素CD.维生素D', ['维生素A', '维生素B', '维生素C', '维生素D']],
    ['A. 维生素B.1  B. 维生素B.2  C. 钙', ['维生素B.1', '维生素B.2', '钙']],
    ['A．点B、C共线 B．三角形 C．都不对', ['点B、C共线', '三角形', '都不对']],
    ['A. 甲 B. 乙 C. 3D.', ['甲', '乙', '3D.']],
    ['A.维生素B.1\nB.钙', ['维生素B.1', '钙']],
    ['A. 研究 B. subtilis\nB. 研究 E. coli\nC. 其他', ['研究 B. subtilis', '研究 E. coli', '其他']],
  ])('%s', async (text, options) => {
    expect(await place(text)).toMatchObject({ options: [options], findings: [] })
  })

  test.each([
    ['A.甲A.乙B.丙C.丁', '①A“甲A.乙” B“丙” C“丁”；②A“乙” B“丙” C“丁”'],
    ['A.维生素B.1', '①A“维生素” B“1”；②A“维生素B.1”'],
    ['A. 水 B. SiC. 盐', '①A“水” B“Si” C“盐”；②A“水” B“SiC. 盐”'],
    ['A. 甲 B. ABC. 乙', '①A“甲” B“AB” C“乙”；②A“甲” B“ABC. 乙”'],
    ['A.维生素B.1B.维生素B.2C.钙', '①A“维生素” B“1B.维生素B.2” C“钙”；②A“维生素B.1” B“维生素B.2” C“钙”'],
    ['A. 甲 B. 一\nABC. 乙', '①A“甲” B“一 AB” C“乙”；②A“甲” B“一 ABC. 乙”'],
    ['A. 研究 B. 菌 B. 研究酵母 C. 其他', '①A“研究” B“菌 B. 研究酵母” C“其他”；②A“研究 B. 菌” B“研究酵母” C“其他”'],
    ['A. 选B.还是C.好 B. 都选', '①A“选” B“还是” C“好 B. 都选”；②A“选B.还是C.好” B“都选”'],
  ])('%s can be read in two ways and is refused', async (text, readings) => {
    const { total, options, findings } = await place(text)
    expect([total, options]).toEqual([1, []])
    expect(findings).toEqual([expect.stringMatching(/^fault 第\d行 /)])
    expect(findings[0]).toContain(`选项有两种读法：${readings}。请一个选项写一行`)
  })
})

test('a style of numbers that changes is seen behind glued options, too', async () => {
  const { options, findings } = await read(
    'txt',
    '1．甲（ ）\nA.1840B.1842C.1856\n（2）乙（ ）\nA.1B.2C.3\n参考答案\n1-2 BA\n',
  )
  expect(findings).toEqual([])
  expect(options).toEqual([
    ['1840', '1842', '1856'],
    ['1', '2', '3'],
  ])
})

test('a part of a 材料题 that can be read in two ways is named by its number', async () => {
  const { options, findings } = await read(
    'txt',
    '阅读下面的材料，回答1-2题。\n某部开展训练。\n1．甲（ ）\nA.一B.二C.三\n答案：A\n2．乙（ ）\nA.维生素B.1\n答案：A\n',
  )
  expect(options).toEqual([])
  expect(findings).toEqual([expect.stringMatching(/^fault 第1行 第2小题：选项有两种读法/)])
})

test('a text that asks for no letters may speak of A. and B. as it likes', async () => {
  const { findings } = await read('csv', '题型,题干,答案\n简答题,A.维生素B.1 是什么？,硫胺素\n')
  expect(findings).toEqual([])
})

test.each(['Ａ', 'A；B'])('an answer of letters asks for options however it is written: %s', async (answer) => {
  const { options, findings } = await read(
    'csv',
    `题干,答案\n"哪种促进钙的吸收？\nA.维生素B.1",${answer}\n哪种是糖？,Ａ\n`,
  )
  expect(options).toEqual([])
  expect(findings).toEqual([expect.stringMatching(/^fault 第3行 选项有两种读法/), 'fault 第4行 选择题至少需要两个选项'])
})
