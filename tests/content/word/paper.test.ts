import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPaper } from '#tests/support/readPaper.ts'
import { item, level, list, num, optionsOf, p, picture, r, readWord, table } from '#tests/support/wordFile.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const restarted = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
const numbering =
  list(1, level(0, 'decimal', '%1．')) +
  list(2, level(0, 'upperLetter', '%1．')) +
  num(1, 1) +
  [21, 22, 23].map((id) => num(id, 2, restarted)).join('')

test('a paper as a teacher makes it: counted numbers, bold headings, a picture, a formula, a table, a material, and answers at the end', async () => {
  const half =
    '<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>'
  const b = '<w:b/>'
  const { questions, findings, chapters } = await readWord(
    [
      p(r('军考模拟卷', b)),
      p(r('第一章 综合', b)),
      p(r('一、单项选择题（每题 2 分）', b)),
      item(r('如图，') + r('不', b) + r('正确的是（   ）') + picture('i'), 1),
      ...['甲', '乙', '丙', '丁'].map((text) => item(text, 21)),
      item(r('结果是') + half + r('的是'), 1),
      item(half, 22),
      item('2', 22),
      p(r('二、判断题', b)),
      item('声音可以在真空中传播', 1),
      p(r('三、填空题', b)),
      item(r('古田会议召开于') + r('      ', '<w:u w:val="single"/>') + r('年'), 1),
      p(r('四、材料题', b)),
      p('阅读下面的材料，回答5-6题。'),
      p('材料的第一段。'),
      table(['年', '数'], ['2020', '3']),
      item('材料说明了', 1),
      item('甲', 23),
      item('乙', 23),
      item('简述理由', 1),
      p(r('参考答案与解析', b)),
      p('1．C 【解析】丙不正确。'),
      p('2．A'),
      p('3．×'),
      p('4．1929'),
      p('5．B'),
      p('6．略'),
    ],
    { numbering, media: { i: { name: 'image1.png', bytes: PNG } } },
  )
  expect(findings).toEqual(['warning 第1段“军考模拟卷” 不属于任何题目，未导入：军考模拟卷'])
  expect(new Set(chapters)).toEqual(new Set(['第一章 综合']))
  expect(questions).toMatchObject([
    { type: 'single', key: ['C'], analysis: '丙不正确。' },
    { type: 'single', key: ['A'] },
    { type: 'judge', stem: '声音可以在真空中传播', key: ['B'] },
    { type: 'blank', stem: '古田会议召开于____年', blanks: [['1929']] },
    {
      type: 'composite',
      parts: [
        { type: 'single', key: ['B'] },
        { type: 'essay', reference: '略' },
      ],
    },
  ])
  expect(questions[0]?.stem).toMatch(/^如图，<b>不<\/b>正确的是（ +）<img /)
  expect(optionsOf(questions[1])).toEqual([expect.stringMatching(/^<math><mfrac>/), '2'])
  expect(questions[4]?.stem).toBe(
    '<p>阅读下面的材料，回答5-6题。</p><p>材料的第一段。</p><table><tbody><tr><td>年</td><td>数</td></tr><tr><td>2020</td><td>3</td></tr></tbody></table>',
  )
})

test('any paper gives the same questions as a text and as a document, whichever letters are bold and however its runs are cut', async () => {
  const word = fc.stringMatching(/^[\u4e00-\u4eff]{2,8}$/)
  const question = fc.record({
    stem: word,
    options: fc.uniqueArray(word, { minLength: 2, maxLength: 4 }),
    key: fc.nat(1),
    isBeside: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(question, { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.nat(5)),
      async (asked, cuts) => {
        const lines = asked.flatMap(({ stem, options, key, isBeside }, i) => {
          const lettered = options.map((text, at) => `${'ABCD'[at]}．${text}`)
          return [`${i + 1}．${stem}（  ）`, ...(isBeside ? [lettered.join('  ')] : lettered), `答案：${'ABCD'[key]}`]
        })
        const next = () => Number(cuts.next().value)
        const paragraph = (line: string) => {
          const label = /^(?:\d+．|[A-D]．|答案：)/.exec(line)?.[0] ?? ''
          const cut = label.length + next()
          return p(r(label, '<w:b/>') + r(line.slice(label.length, cut)) + r(line.slice(cut)))
        }
        const document = await readWord(lines.map(paragraph))
        const text = await readPaper(lines.join('\n'))
        expect(document.questions).toEqual(text.questions)
      },
    ),
    { numRuns: 40 },
  )
})
