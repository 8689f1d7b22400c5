import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { partsOf } from '#src/domain/study/study.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'

/** What real banks do to those who read them, each in a sample of our own. */
const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-traps-'))
const options = foreignLibrary('T')
let files = 0
async function read(ending: string, content: string | Uint8Array) {
  const file = path.join(folder, `${++files}.${ending}`)
  writeFileSync(file, content)
  const { placed, findings } = await checkFile(file, options)
  return {
    questions: placed.map(({ question }) => question),
    reasons: findings.filter(({ reason }) => reason !== '没有解析').map(({ reason }) => reason),
  }
}
const table = (...rows: [stem: string, answer: string][]) =>
  read(
    'csv',
    `题干,答案\n${rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')}\n`,
  )
/** Stem and options as one reads them, and the key. */
async function only(...row: [stem: string, answer: string]) {
  const { questions, reasons } = await table(row)
  const [question] = questions
  if (!question || !('options' in question)) return { reasons }
  const shown = question.options.map(({ html }) => plainText(html))
  return { stem: plainText(question.stem), options: shown, key: question.key.join(''), html: question.stem, reasons }
}

test.each([
  ['glued without a space', '属于有机物的是（ ）A．水B．乙醇C．食盐D．氧气'],
  ['two a line', '属于有机物的是（ ）\nA. 水    B. 乙醇\nC. 食盐  D. 氧气'],
  ['a space between letter and point', '属于有机物的是（ ）\nA . 水  B . 乙醇\nC . 食盐  D . 氧气'],
  ['a line that breaks between a point and its letter', '属于有机物的是（ ）A．水。B．乙醇。\nC．食盐。D．氧气'],
])('options in the stem, %s', async (_, stem) => {
  const { options: shown, key, reasons } = await only(stem, 'B')
  expect(shown?.map((text) => text.replace('。', ''))).toEqual(['水', '乙醇', '食盐', '氧气'])
  expect([key, reasons]).toEqual(['B', []])
})

test('statements ①②③ and (1)(2) are the stem’s, their combinations the options', async () => {
  const stem = '下列说法正确的有（ ）\n①水是化合物 ②空气是单质\n(1) 只看常温 (2) 不计杂质\nA. ①  B. ②  C. ①②  D. 都不对'
  const { stem: shown, options: four } = await only(stem, 'A')
  expect(shown).toContain('①水是化合物 ②空气是单质')
  expect(shown).toContain('(1) 只看常温')
  expect(four).toEqual(['①', '②', '①②', '都不对'])
})

test('rows of a LaTeX table that begin with letters are no options', async () => {
  const rows = '\\begin{tabular}{|c|c|}\\hline & 现象 \\\\ \\hline A. & 变红 \\\\ B. & 变蓝 \\\\ \\hline\\end{tabular}'
  const { html, options: four } = await only(`表中与事实相符的是（ ）\n${rows}\nA. A  B. B  C. 都是  D. 都不是`, 'A')
  expect(html).toContain('<td>变红</td>')
  expect(four).toEqual(['A', 'B', '都是', '都不是'])
})

test('letters within a formula of an option begin no options of their own', async () => {
  const formula = '$\\text{点 A、B、C 共线}$'
  const { stem, options: two } = await only(`下列正确的是（ ）\nA. ${formula}  B. 以上都不对`, 'B')
  expect(stem).toBe('下列正确的是（ ）')
  expect(two).toEqual([expect.stringContaining('共线'), '以上都不对'])
})

test.each([
  ['GBK', iconv.encode('题干,答案,选项A,选项B\n①丙④选哪个,B,甲,乙\n', 'gbk')],
  ['GB18030, a character of four bytes', iconv.encode('题干,答案,选项A,选项B\n①丙④选哪个㑇,B,甲,乙\n', 'gb18030')],
  ['UTF-8 with BOM', Buffer.from('\uFEFF题干,答案,选项A,选项B\n①丙④选哪个,B,甲,乙\n')],
])('in %s', async (_, bytes) => {
  const { questions } = await read('csv', bytes)
  expect(questions).toMatchObject([{ stem: expect.stringMatching(/^①丙④选哪个/), key: ['B'] }])
})

test('entities that were escaped twice', async () => {
  expect((await only('他说&amp;ldquo;好&amp;rdquo;&amp;#65292;对吗\nA. 对&amp;amp;错 B. 错', 'B')).stem).toBe(
    '他说“好”，对吗',
  )
})

test('a formula that is a whole option stays beside its letter', async () => {
  const { questions } = await table(['等于多少\nA. $$2$$ B. $$\\frac{1}{2}$$', 'A'])
  const shown = JSON.stringify(questions)
  expect(shown.match(/<math/g)).toHaveLength(2)
  expect(shown).not.toContain('display=')
})

test('bold words and quotes of TeX, and pictures of Markdown', async () => {
  const { html, reasons } = await only(
    "\\textbf{第 10 题}``第$2$题对''\n![](http://127.0.0.1:9/a.png)\nA. 甲 B. 乙",
    'A',
  )
  expect(html).toContain('<b>第 10 题</b>“第')
  expect(html).toContain('题对”')
  expect(reasons).toEqual(['图片不可用：http://127.0.0.1:9/a.png'])
})

test('$$…$$ within a sentence is a formula of its line', async () => {
  const { html } = await only('已知$$x=1$$，则$$x+1$$等于\nA. $$2$$ B. $$3$$', 'A')
  expect(html?.match(/<math/g)).toHaveLength(2)
  expect(html).not.toContain('display="block"')
})

test('money is no formula', async () => {
  const { stem } = await only('It cost $8 to $10 a year. Today $8 or $10 is little.\nA. Yes B. No', 'A')
  expect(stem).toBe('It cost $8 to $10 a year. Today $8 or $10 is little.')
})

test('Kangxi radicals, private-use glyphs and wide spaces become what they look like, or nothing', async () => {
  const { stem } = await only('⼤⾮⻆\uF06C圆\u3000\u00A0心\nA. ⽔ B. 火', 'A')
  expect(stem).toMatch(/^大非角.?圆 +心$/)
  expect(stem).not.toMatch(/[\uE000-\uF8FF\u2E80-\u2FDF]/)
})

test.each([
  ['outside its options', '选\nA. 甲 B. 乙', 'C', '答案 C 不在选项中'],
  ['in words', '选\nA. 甲 B. 乙', 'A包括丙', '答案“A包括丙”不是选项字母，也不是选项的内容'],
  ['of options that were lost', '表示需求变动的图是', 'C', '选择题至少需要两个选项'],
  ['of several options that were lost', '表示需求变动的图有', 'A、C', '选择题至少需要两个选项'],
  ['with an option that is empty', '选\nA. 甲 B. 乙 C.  D. 丁', 'A', '有空的选项'],
  ['with options that are the same', '选\nA. 甲 B. 乙 C. 甲', 'B', '有内容相同的选项'],
])('an answer %s is refused', async (_, stem, answer, reason) => {
  expect(await table([stem, answer])).toEqual({ questions: [], reasons: [reason] })
})

test('an answer in words is still that of a 简答题', async () => {
  expect((await table(['什么是需求？', 'A country needs it.'])).questions).toMatchObject([{ type: 'essay' }])
})

test('sub-questions of a text: lines of it that begin with a number are its own', async () => {
  const paper = `一、阅读理解
阅读下面的短文，回答28-30题。
Opening hours
5:00pm every day
6.000 people came.
28. When does it open?
A . At five. B . At six.
29. How many came?
A. 600 B. 6,000
30. Who was there?
A. Nobody. B. Many.
参考答案
28-30 ABB
`
  const { questions } = await read('txt', paper)
  const [question] = questions
  expect(question).toMatchObject({ type: 'composite', stem: expect.stringContaining('5:00pm every day') })
  expect(question && partsOf(question).map((part) => ('key' in part ? part.key.join('') : ''))).toEqual(['A', 'B', 'B'])
})

test('a heading that is none does not swallow the questions behind it', async () => {
  const asked = (n: number, more = '') => `${n}．选哪个？${more}\nA．甲${n} B．乙\n答案：A\n`
  const within = '\n一、选择题如下\n1. 其中一句'
  const { questions } = await read('txt', asked(1) + asked(2) + asked(3, within) + asked(4) + asked(5))
  expect(questions.filter((each) => 'options' in each && each.options[0]?.html.startsWith('甲'))).toHaveLength(5)
})

test('a number before a year is the question’s, one with a decimal point is not', async () => {
  const numbered = await table(['17. 2021年开始执行', '略'], ['3.2021年，某地', '略'], ['3.5 m 长的', '略'])
  expect(numbered.questions.map(({ stem }) => stem)).toEqual(['2021年开始执行', '2021年，某地', '3.5 m 长的'])
})

test.each([
  ['（6 分）选哪个', '选哪个'],
  ['12．(1.5分)选哪个', '选哪个'],
  ['（3分之一）是多少', '（3分之一）是多少'],
])('the marks that a question had in its paper are not its stem: %s', async (stem, shown) => {
  expect((await only(`${stem}\nA. 甲 B. 乙`, 'A')).stem).toBe(shown)
})

test('lines that were cut at the edge of a page are one again, those of a list and of a poem are not', async () => {
  const long = '按照贸易协议，成员国的大部分贸易商品实行零关税，如果以前一件商品出口到某国的'
  const wrapped = await only(`${long}\n关税为5%，下列正确的是\n①价格下降\n②价格上升\nA. ① B. ②`, 'A')
  expect(wrapped.html).toContain(`<p>${long}关税为5%，下列正确的是</p><p>①价格下降</p>`)
  const poem = await only('大漠孤烟直，\n长河落日圆\n。\nA. 对仗 B. 比喻', 'A')
  expect(poem.html).toBe('<p>大漠孤烟直，</p><p>长河落日圆。</p>')
})

test('blanks and quotes of TeX outside formulae', async () => {
  const { stem } = await only("``正正''的概率是~\\uline{~~~~~~}~，选（~~~）\\\\\nA. 甲 B. 乙", 'A')
  expect(stem).toBe('“正正”的概率是____，选（ ）')
})

test('rows of an equation whose ends were lost stand below each other', async () => {
  const { html } = await only('解$\\begin{cases}x+y=3    x-y=1\\end{cases}$\nA. 1 B. 2', 'A')
  expect(html?.match(/<mtr/g)).toHaveLength(2)
})

test('a cell of a table that was recognised as an array of texts is text', async () => {
  const cell =
    '$\\begin{array}{l}\\text { 向盛有 } \\mathrm{FeCl}_3 \\text { 溶液的试 } \\\\ \\text { 管中加铁粉 }\\end{array}$'
  const { html } = await only(`\\begin{tabular}{|c|c|}\\hline A & ${cell} \\\\ \\hline\\end{tabular}\nA. 甲 B. 乙`, 'A')
  expect(plainText(html ?? '').replaceAll(' ', '')).toBe('A向盛有FeCl₃溶液的试管中加铁粉')
  expect(html).not.toContain('<mtable')
})

const ASKED = '三湾改编是人民军队建设史上的重要事件，它从组织上确立了党对军队的领导，下列属于其内容的是（ ）'
test.each([
  ['a word more', ASKED.replace('下列属于', '以下各项属于'), true],
  ['other marks', ASKED.replaceAll('，', ','), true],
  ['another year', `${ASKED}1927`, false],
  ['another formula', `${ASKED}$x^2$`, false],
  [
    'other words',
    '古田会议总结了建军以来的经验，确立了思想建党、政治建军的原则，对后来影响深远，下列说法正确的是（ ）',
    false,
  ],
])('a question with %s is told to be nearly the same, or is not: %s', async (_, stem, isNear) => {
  const options_ = '\nA. 支部建在连上 B. 实行军衔制 C. 建立士兵委员会 D. 缩编部队'
  const { questions, reasons } = await table([ASKED + options_, 'A'], [stem + options_, 'A'])
  expect(questions).toHaveLength(2)
  const told = reasons.map((reason) => /^与第\d行只差几个字或标点，请核对是否重复$/.test(reason))
  expect(told).toEqual(Array.from({ length: Number(isNear) }, () => true))
})

test('short questions are never nearly the same', async () => {
  expect((await table(['军徽是？\nA. 甲 B. 乙', 'A'], ['军旗是？\nA. 甲 B. 乙', 'A'])).reasons).toEqual([])
})

test('rows of a table with one 材料编号 are one 材料题; its number is one of a question only when it begins with a letter', async () => {
  const rows = [
    '材料编号,材料,题干,选项A,选项B,答案,采分点',
    '1,一段话,问一,甲,乙,A,',
    '1,,问二,甲,乙,B,',
    ',,单独的,甲,乙,A,',
    'm_2,另一段,问三,,,略,要点（1.5分）',
  ]
  const { questions, reasons } = await read('csv', `${rows.join('\n')}\n`)
  expect(questions).toMatchObject([
    {
      type: 'composite',
      stem: '一段话',
      parts: [
        { stem: '问一', key: ['A'] },
        { stem: '问二', key: ['B'] },
      ],
    },
    { type: 'single', stem: '单独的' },
    { type: 'composite', no: 'm_2', parts: [{ type: 'essay', scoring: [{ html: '要点', score: 150 }] }] },
  ])
  expect(reasons).toEqual([])
  expect(questions[0]?.no).not.toBe('1')
  const wrong = await read('csv', '题干,答案,采分点\n问,答,要点二分\n')
  expect(wrong.reasons).toEqual(['采分点要写明分值，如“要点（2分）”；最多两位小数，不能为负'])
})
