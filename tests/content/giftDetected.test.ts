import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-detected-'))
let files = 0
async function read(content: string | Uint8Array) {
  const file = path.join(folder, `${++files}.txt`)
  writeFileSync(file, content)
  const { placed, findings } = await checkFile(file, foreignLibrary('D'))
  return {
    types: placed.map(({ question }) => question.type),
    faults: findings.filter(({ level }) => level === 'fault').map(({ at, reason }) => `${at} ${reason}`),
  }
}

test.each<[string, string, string[]]>([
  ['one question', '中国的首都是？{=北京 ~南京}\n', ['single']],
  ['one with the mark of its encoding', '\ufeff声音能在真空中传播。{F}\n', ['judge']],
  [
    'comments, a category and a title',
    '// 甲 {1}\n$CATEGORY: 地理/首都\n\n::首都::中国的首都是？{=北京 =北京市}\n',
    ['blank'],
  ],
  ['lines that end as in Windows', '甲{T}\r\n\r\n乙{=一 ~二}\r\n', ['judge', 'single']],
  [
    'numbers before the questions and 答案 within them',
    '1. 正确答案是（A）吗？{T}\n\n2. 下列是质数的（B）{=2 ~4}\n',
    ['judge', 'single'],
  ],
  ['weights', '质数 {~%50%2 ~%50%3 ~%-100%4}\n', ['multiple']],
  ['an essay and a number', '说说甲。{}\n\n几个？{#5}\n', ['essay', 'blank']],
  [
    'a category above texts without questions',
    '$CATEGORY: 地理\n\n说明一\n\n说明二\n\n说明三\n\n甲{=乙 ~丙}\n',
    ['single'],
  ],
  ['答案 before the block', '::Q1:: 计算 3+4\n答案：{=7}\n', ['blank']],
  ['pairs', '配对 {\n=中国 -> 北京\n=日本 -> 东京\n=法国 -> 巴黎\n}\n', ['composite']],
])('a text is GIFT: %s', async (_, text, types) => {
  expect(await read(text)).toEqual({ types, faults: [] })
})

const OPTIONS = 'A. 一\nB. 二\n'
test.each([
  ['sets', `1. 集合{1,2,3}与{T}的并集是（B）\n${OPTIONS}`],
  ['code', `1. 输出是？（B）\nint main() {}\nstruct A { ~A(); };\nint a[] = {1, 2};\nwhile (1) { a = 2; }\n${OPTIONS}`],
  ['formulae', `1. $\\frac{1}{2}$ 与 \\{x|x>0\\}、x^{=}、a_{T} 是（B）\n${OPTIONS}`],
  ['empty braces', `1. JSON 里的空对象是 {}，还是 {=}？\n${OPTIONS}答案：B\n`],
  [
    'a block like that of GIFT among questions',
    `1. 甲（A）\n${OPTIONS}\n2. {=x} 是？（B）\n${OPTIONS}\n3. 乙（A）\n${OPTIONS}`,
  ],
])('a paper with braces is a paper: %s', async (_, text) => {
  const { types, faults } = await read(text)
  expect(faults).toEqual([])
  expect(new Set(types)).toEqual(new Set(['single']))
})

test.each([
  ['one statement of three', '1. 甲是对的。（对）\n\n2. 集合 {T} 是空集。（错）\n\n3. 乙是对的。（对）\n'],
  ['in a formula', '1. $f{=x}$ 成立。（对）\n'],
  ['above its answer', '1. {=x} 是一段代码。\n答案：错\n'],
])('a paper of statements with a block like that of GIFT is a paper: %s', async (_, text) => {
  const { types, faults } = await read(text)
  expect(faults).toEqual([])
  expect(new Set(types)).toEqual(new Set(['judge']))
})

test('a text that is neither says what both have', async () => {
  const { types, faults } = await read('通知\n本周五考试，范围 {1,2,3}。\n')
  expect(types).toEqual([])
  expect(faults).toEqual([expect.stringMatching(/^文件 认不出题目：试卷文字要有题号.*GIFT/)])
})
