import { describe, expect, test } from 'vitest'
import { linesOf } from '#server/content/formats/word/lines.ts'
import { Placeholders } from '#server/content/formats/word/placeholders.ts'
import { readPaper } from '#tests/support/readPaper.ts'
import { cell, item, level, list, num, optionsOf, p, picture, r, readWord, table } from '#tests/support/wordFile.ts'

const restarted = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
const numbering =
  list(1, level(0, 'decimal', '%1．')) +
  list(2, level(0, 'upperLetter', '%1．')) +
  list(3, level(0, 'decimal', '第%1章')) +
  num(1, 1) +
  num(2, 1, restarted) +
  num(3, 3) +
  [21, 22].map((id) => num(id, 2, restarted)).join('')
const options = [p('A. 甲'), p('B. 乙')]

describe('strange documents give nothing wrong without a word', () => {
  test('chapters and answers may be counted, too', async () => {
    const { questions, chapters } = await readWord(
      [
        item('军史', 3),
        item('一题', 1),
        item('甲', 21),
        item('乙', 21),
        item('二题', 1),
        item('甲', 22),
        item('乙', 22),
        p('参考答案'),
        item('B', 2),
        item('A', 2),
      ],
      { numbering },
    )
    expect(questions).toMatchObject([
      { stem: '一题', key: ['B'] },
      { stem: '二题', key: ['A'] },
    ])
    expect(chapters).toEqual(['第1章 军史', '第1章 军史'])
  })

  test('two answers for one number are none', async () => {
    const asked = (heading: string) => [p(heading), p(`1. ${heading}题`), ...options]
    const { questions, findings } = await readWord([
      ...asked('一、单选题'),
      ...asked('二、单选题'),
      p('参考答案'),
      p('1. A'),
      p('1. B'),
    ])
    expect(questions).toEqual([])
    expect(findings).toContainEqual(expect.stringContaining('答案里有两个第 1 题'))
  })

  test('a list of solutions may follow the list of answers', async () => {
    const { questions } = await readWord([p('1. 题'), ...options, p('参考答案'), p('1. B'), p('1. 【解析】因为乙')])
    expect(questions).toMatchObject([{ key: ['B'], analysis: '因为乙' }])
  })

  test('a paragraph whose end was deleted goes on in the next one, or ends the document', async () => {
    const joined = (text: string) => `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${r(text)}</w:p>`
    const { questions } = await readWord([joined('1. 一'), p('题（A）'), p('A. 甲'), joined('B. 乙')])
    expect(questions[0]?.stem).toBe('一题（ ）')
    expect(optionsOf(questions[0])).toEqual(['甲', '乙'])
  })

  test('pictures over a line of several options belong to none of them', async () => {
    const { questions, findings } = await readWord(
      [
        p('1. 选图'),
        p(r('A.') + picture('i', { floats: true }) + r('   B.') + picture('i', { floats: true })),
        p('答案：A'),
      ],
      {
        media: {
          i: {
            name: 'a.gif',
            bytes: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
          },
        },
      },
    )
    expect(questions).toEqual([])
    expect(findings).toEqual([expect.stringMatching(/^fault .*有空的选项/)])
  })

  test('a gap in which its answer stands', async () => {
    const { questions, findings } = await readWord([
      p('一、填空题'),
      p(r('1. 起义于') + r('1927', '<w:u w:val="single"/>') + r('年')),
      p('答案：1927'),
    ])
    expect(questions).toEqual([])
    expect(findings).toEqual([expect.stringContaining('题干的空里就写着答案“1927”')])
  })

  test('text below the last option is told', async () => {
    const { findings } = await readWord([p('1. 题（A）'), ...options, p('本卷共 3 页')])
    expect(findings).toEqual([expect.stringContaining('最后一个选项之后还有文字“本卷共 3 页”')])
  })

  test('questions beside each other in a table without lines, and in controls', async () => {
    const { questions } = await readWord([
      table([cell(p('1. 左（A）') + options.join('')), cell(p('2. 右（B）') + options.join(''))]),
      `<w:sdt><w:sdtPr/><w:sdtContent>${p('3. 下（A）')}${options.join('')}</w:sdtContent></w:sdt>`,
    ])
    expect(questions).toMatchObject([{ key: ['A'] }, { key: ['B'] }, { key: ['A'] }])
  })

  test('a document with nothing but a box of text says so', async () => {
    const box = `<w:r><w:pict><v:shape><v:textbox><w:txbxContent>${p('答案：A')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`
    const { findings } = await readWord([p(r('1. 题') + box), ...options])
    expect(findings.join()).toMatch(/文本框里的文字“答案：A”.*认不出题目|认不出题目.*文本框里的文字“答案：A”/)
  })

  test('a page that was copied into it is read as in a text', async () => {
    const lines = [
      '1. 【单选题】题一',
      'A. 甲',
      'B. 乙',
      '我的答案：A 正确答案：B',
      '得分：0.0分',
      '2. 【判断题】题二',
      '我的答案：对',
    ]
    const word = await readWord(lines.map((line) => p(line)))
    const text = await readPaper(lines.join('\n'))
    expect(word.questions).toEqual(text.questions)
    expect(word.questions).toMatchObject([{ stem: '题一', key: ['B'] }])
  })

  test.each([
    ['behind 答案', '答案', {}],
    ['in a bracket', '（', {}],
    ['that are underlined', '题', { u: true }],
  ])('a row of 200,000 spaces %s takes no longer than other text', (_, before, look) => {
    const text = `${before}${' '.repeat(200_000)}x`
    const held = new Placeholders()
    const [line = ''] = linesOf(
      '',
      [
        { text: before, look: {} },
        { text: text.slice(before.length), look },
      ],
      held,
    )
    expect(held.words(line)).toBe(text)
  })

  test('a file with a number that is none of a letter is no valid one: pictures are not to blame', async () => {
    const { findings } = await readWord([p('<w:r><w:sym w:font="宋体" w:char="-5"/></w:r>')])
    expect(findings).toEqual([expect.stringContaining('不是有效的 .docx')])
  })
  test('a file that holds more formulae than a file may is told so', async () => {
    const { findings } = await readWord([p('<m:oMath/>'.repeat(65_001))])
    expect(findings).toEqual([expect.stringContaining('公式、图片太多')])
  })
})

describe('an essay', () => {
  const essay = (...lines: string[]) => [p('一、论述题'), p('1. 论述'), p('答案：略'), ...lines]
  const bold = '<w:b/>'

  test('may say in bold how long it shall be', async () => {
    const { questions, findings } = await readWord([
      p('一、作文题'),
      p('1. 写一篇议论文'),
      p(r('字数要求：不少于') + r('800', bold) + r('字')),
      p('参考答案：略'),
    ])
    expect(findings.filter((each) => each.startsWith('fault'))).toEqual([])
    expect(questions).toMatchObject([{ composition: { length: { least: 800 } } }])
  })

  test.each([
    ['bold', r('观点正确') + r('（2分）', bold), []],
    ['partly bold', r('观点正确（') + r('2', bold) + r('分）'), []],
    [
      'with hidden letters behind it',
      r('观点正确（2分）') + r('批注', '<w:vanish/>'),
      [expect.stringMatching(/^warning 第2段.*有隐藏的文字/)],
    ],
  ])('has points whose score is %s', async (_, line, told) => {
    const { questions, findings } = await readWord(essay(p('采分点：'), p(line), p('论证充分（3分）')))
    expect(questions).toMatchObject([
      {
        scoring: [
          { html: '观点正确', score: 200 },
          { html: '论证充分', score: 300 },
        ],
      },
    ])
    expect(findings).toEqual(expect.arrayContaining(told))
  })

  test('with a point that cannot be read is refused for that reason', async () => {
    const object =
      '<w:r><w:object><v:shape style="width:20pt;height:10pt"><v:imagedata r:id="i"/></v:shape><o:OLEObject ProgID="Equation.DSMT4"/></w:object></w:r>'
    const { questions, findings } = await readWord(essay(p('采分点：'), p(r('列出公式（2分）') + object)))
    expect(questions).toEqual([])
    expect(findings).toEqual([expect.stringMatching(/^fault 第2段.*旧式公式（MathType/)])
  })
})
