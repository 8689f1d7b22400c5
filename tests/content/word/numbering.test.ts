import { describe, expect, test } from 'vitest'
import { item, level, list, num, optionsOf, p, r, readWord } from '#tests/support/wordFile.ts'

const QUESTIONS = list(1, level(0, 'decimal', '%1．'), level(1, 'decimal', '（%2）'))
const OPTIONS = list(2, level(0, 'upperLetter', '%1．'))
const HEADINGS = list(3, level(0, 'chineseCounting', '%1、'))
const restarted = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
/** One list of questions, one of headings, and for each question its own list of options. */
const numbering =
  QUESTIONS +
  OPTIONS +
  HEADINGS +
  num(1, 1) +
  num(3, 3) +
  [21, 22, 23, 24].map((id) => num(id, 2, restarted)).join('') +
  num(11, 1, restarted)
const pair = (list: number) => [item('甲', list), item('乙', list)]

describe('numbers that Word counts itself are read as they are seen', () => {
  test('questions, options that begin anew with each of them, and headings that say the type', async () => {
    const { questions, findings } = await readWord(
      [
        item('单项选择题', 3),
        item('第一题', 1),
        ...pair(21),
        item('第二题', 1),
        ...pair(22),
        item('多项选择题', 3),
        item('第三题', 11),
        ...pair(23),
        item('丙', 23),
        p('参考答案'),
        item('单项选择题', 3),
        p('参考答案'),
        p('一、1. B 2. A'),
        p('二、1. AC'),
      ],
      { numbering },
    )
    expect(findings.filter((each) => each.startsWith('fault'))).toEqual([])
    expect(questions).toMatchObject([
      { type: 'single', stem: '第一题', key: ['B'] },
      { type: 'single', stem: '第二题', key: ['A'] },
      { type: 'multiple', stem: '第三题', key: ['A', 'C'] },
    ])
    expect(optionsOf(questions[2])).toEqual(['甲', '乙', '丙'])
  })

  test('options of a list that goes on over the questions are E and F, as the file shows them: the question is refused', async () => {
    const { questions, findings } = await readWord(
      [item('第一题', 1), ...pair(21), p('答案：A'), item('第二题', 1), ...pair(21), p('答案：B')],
      { numbering },
    )
    expect(questions).toMatchObject([{ stem: '第一题' }])
    expect(findings).toContainEqual(expect.stringMatching(/^fault 第5段“2． 第二题” 选择题至少需要两个选项/))
  })

  test('a style may number its paragraphs, by its own list or by a level that names it', async () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="Q"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>' +
      '<w:style w:type="paragraph" w:styleId="Q2"><w:basedOn w:val="Q"/></w:style>'
    const styled = (text: string, style: string) => p(text, `<w:pStyle w:val="${style}"/>`)
    const { questions } = await readWord(
      [styled('第一题（A）', 'Q'), ...pair(21), styled('第二题（B）', 'Q2'), ...pair(22)],
      { numbering, styles },
    )
    expect(questions).toMatchObject([{ key: ['A'] }, { key: ['B'] }])
  })

  test('a paragraph that takes itself out of the list of its style has no number', async () => {
    const styles =
      '<w:style w:type="paragraph" w:default="1" w:styleId="Q"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    const none = '<w:numPr><w:numId w:val="0"/></w:numPr>'
    const { questions } = await readWord(
      [p('第一题（A）'), p('A. 甲', none), p('B. 乙', none), p('第二题（B）'), p('A. 甲', none), p('B. 乙', none)],
      { numbering, styles },
    )
    expect(questions).toMatchObject([{ stem: '第一题（ ）' }, { stem: '第二题（ ）' }])
  })

  test('a list within a stem begins no question, be it a deeper level or a list of its own', async () => {
    const { questions } = await readWord(
      [
        item('下列说法', 1),
        item('甲正确', 11),
        item('乙正确', 11),
        ...pair(21),
        p('答案：A'),
        item('再看', 1),
        item('丙', 1, 1),
        item('丁', 1, 1),
        ...pair(22),
        p('答案：B'),
        item('第三题（A）', 1),
        ...pair(23),
      ],
      { numbering: numbering.replace(num(11, 1, restarted), list(9, level(0, 'decimal', '%1．')) + num(11, 9)) },
    )
    expect(questions).toMatchObject([
      { stem: expect.stringContaining('<p>1． 甲正确</p><p>2． 乙正确</p>'), key: ['A'] },
      { stem: expect.stringContaining('<p>（1） 丙</p><p>（2） 丁</p>'), key: ['B'] },
      { stem: '第三题（ ）' },
    ])
  })

  test('a format that is not known keeps its question out', async () => {
    const { questions, findings } = await readWord(
      [p('1. 选（A）'), item('甲', 5), p('A. 甲'), p('B. 乙'), p('2. 选（A）'), p('A. 甲'), p('B. 乙')],
      { numbering: list(5, level(0, 'thaiCounting', '%1.')) + num(5, 5) },
    )
    expect(questions).toHaveLength(1)
    expect(findings).toContainEqual(expect.stringContaining('自动编号的格式读不出'))
  })

  test.each(['upperRoman', 'upperLetter', 'decimal'])('%s beyond what Word counts is not known', async (format) => {
    const far = level(0, format, '%1.').replace('w:val="1"', 'w:val="900000000000"')
    const { questions, findings } = await readWord([p('1. 选（A）'), item('甲', 5), p('A. 甲'), p('B. 乙')], {
      numbering: list(5, far) + num(5, 5),
    })
    expect(questions).toEqual([])
    expect(findings).toContainEqual(expect.stringContaining('自动编号的格式读不出'))
  })

  test('a label is text, not markup, and holds no characters for private use', async () => {
    const label = '\ue100%1\u{f0000}&lt;img src=x&gt;&lt;b&gt;'
    const { questions } = await readWord([p('1. 选（A）'), item('甲', 5), p('A. 甲'), p('B. 乙')], {
      numbering: list(5, level(0, 'upperRoman', label)) + num(5, 5),
    })
    expect(questions[0]?.stem).toContain('<p>I&lt;img src=x&gt;&lt;b&gt; 甲</p>')
  })

  test.each([
    ['decimalEnclosedCircleChinese', '%1', '③ 丙'],
    ['lowerRoman', '%1)', 'iii) 丙'],
    ['chineseCountingThousand', '（%1）', '（三） 丙'],
    ['ideographTraditional', '%1、', '丙、 丙'],
    ['decimalEnclosedParen', '%1', '(3) 丙'],
    ['chineseLegalSimplified', '%1、', '叁、 丙'],
    ['bullet', '\uf0b7', '• 丙'],
    ['none', '', '丙'],
  ])('%s', async (format, text, shown) => {
    const { questions } = await readWord(
      [p('1. 下列（A）'), item('甲', 5), item('乙', 5), item('丙', 5), p('A. 甲'), p('B. 乙')],
      { numbering: list(5, level(0, format, text)) + num(5, 5) },
    )
    expect(questions[0]?.stem).toContain(`<p>${shown}</p>`)
  })

  test('deeper numbers begin anew, name the higher ones, and may be figures throughout', async () => {
    const levels = list(5, level(0, 'chineseCounting', '第%1项'), level(1, 'decimal', '%1.%2', '<w:isLgl/>'))
    const { questions } = await readWord(
      [
        p('1. 下列（A）'),
        item('甲', 5),
        item('子', 5, 1),
        item('丑', 5, 1),
        item('乙', 5),
        item('寅', 5, 1),
        p('A. 甲'),
        p('B. 乙'),
      ],
      { numbering: levels + num(5, 5) },
    )
    for (const line of ['第一项 甲', '1.2 丑', '第二项 乙', '2.1 寅'])
      expect(questions[0]?.stem).toContain(`<p>${line}</p>`)
  })

  test('numbers behind the options that no question begins with keep the question out', async () => {
    const { questions, findings } = await readWord(
      [
        item('第一题（A）', 1),
        ...pair(21),
        item('第二题（B）', 1),
        ...pair(22),
        p('多选题'),
        item('第三题', 11),
        ...pair(23),
      ],
      { numbering },
    )
    expect(questions).toMatchObject([{ stem: '第一题（ ）' }])
    expect(findings).toContainEqual(expect.stringMatching(/^fault .*选项后面还有编号“1． 第三题”，题号接不上/))
  })
})

test('a whole paper may be numbered and typed in turns', async () => {
  const { questions } = await readWord([item(r('第一题', '<w:b/>'), 1), p('A. 甲'), p('B. 乙'), p('答案：B')], {
    numbering,
  })
  expect(questions).toMatchObject([{ stem: '第一题', key: ['B'] }])
})
