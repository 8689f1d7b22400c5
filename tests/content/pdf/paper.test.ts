import sharp from 'sharp'
import { expect, test } from 'vitest'
import { curve, grid, line, lines, picture, readPages, text, widthOf } from '#tests/support/paperPdf.ts'
import { optionsOf } from '#tests/support/wordFile.ts'

const FULL = '这一行从左到右写满了字所以下一行还是同一段话中间没有换行的意思请接着往'

test('lines that are full go on in the next one, across a page, too; a line that ends early does not', async () => {
  const { questions, findings } = await readPages([
    lines([`1．${FULL}下`, '读下去就知道了。', '这是另一段（  ）', 'A．甲    B．乙', '答案：B', `2．${FULL}下`], {
      top: 140,
    }),
    lines(['读到下一页（  ）', 'A．甲', 'B．乙', '答案：A']),
  ])
  expect(findings).toEqual([])
  expect(questions).toMatchObject([
    { stem: `<p>${FULL}下读下去就知道了。</p><p>这是另一段（  ）</p>`, key: ['B'] },
    { stem: `${FULL}下读到下一页（  ）`, key: ['A'] },
  ])
})

test('a number that a full line carries over begins no question', async () => {
  const { questions } = await readPages([
    lines([
      `1．${FULL}为`,
      '2.5 米（  ）',
      'A．甲    B．乙',
      '答案：B',
      '2．第二题（  ）',
      'A．丙    B．丁',
      '答案：A',
    ]),
  ])
  expect(questions).toMatchObject([{ stem: `${FULL}为2.5 米（  ）` }, { stem: '第二题（  ）' }])
})

test('English words are parted by spaces, and one that a hyphen parts at the end of a line is whole again', async () => {
  const { questions, findings } = await readPages([
    lines([
      '1．The International Bureau of Weights and Measures was founded by the organi-',
      'zation of seventeen states, and the well-known standard of the metre of today',
      'is kept there (  ).',
      'A. organization    B. well-known',
      '答案：A',
    ]),
  ])
  expect(findings).toEqual([])
  expect(questions[0]).toMatchObject({
    stem: 'The International Bureau of Weights and Measures was founded by the organization of seventeen states, and the well-known standard of the metre of today is kept there (  ).',
  })
})

test('what is smaller and raised or lowered is so in the question: 10³ is not 103', async () => {
  const { questions } = await readPages([
    text(60, 780, '1．水') +
      text(96, 780, 'H') +
      text(102, 777, '2', 8) +
      text(106, 780, 'O有10') +
      text(130, 785, '3', 8) +
      text(134, 780, '克，离子') +
      text(182, 780, 'SO') +
      text(194, 777, '4', 8) +
      text(194, 785, '2-', 8) +
      text(202, 780, '（  ）') +
      lines(['A．对    B．错', '答案：A'], { top: 760 }),
  ])
  expect(questions[0]).toMatchObject({
    stem: '水H<sub>2</sub>O有10<sup>3</sup>克，离子SO<sub>4</sub><sup>2-</sup>（  ）',
  })
})

test('a fraction, and whatever else lies in layers, keeps its question out', async () => {
  const { questions, findings } = await readPages([
    text(60, 780, '1．若x=') +
      text(104, 787, 'a') +
      text(104, 772, 'b') +
      line(102, 784, 112, 784) +
      text(116, 780, '，则（  ）') +
      lines(['A．甲    B．乙', '答案：A', '2．若y=', 'A．丙    B．丁', '答案：A'], { top: 740 }) +
      text(102, 684.5, '1', 8) +
      text(102, 677, '2', 8) +
      line(101, 683, 107, 683),
  ])
  expect(questions).toEqual([])
  for (const begin of ['1．若x=', '2．若y='])
    expect(findings).toContainEqual(expect.stringMatching(new RegExp(`^fault 第1页“${begin}.*公式排成上下几层`)))
})

test('a gap that is drawn as a line below nothing is a gap, and a line below words underlines them', async () => {
  const { questions } = await readPages([
    lines(['一、填空题'], { top: 800 }) +
      text(60, 780, '1．古田会议召开于') +
      line(162, 778, 222, 778) +
      text(228, 780, '年。') +
      lines(['答案：1929', '二、单选题', '2．下列划线的词（  ）', 'A．甲    B．乙', '答案：A'], { top: 760 }) +
      line(102, 718, 126, 718),
  ])
  expect(questions).toMatchObject([
    { type: 'blank', stem: '古田会议召开于____年。', blanks: [['1929']] },
    { stem: '下列<u>划线</u>的词（  ）' },
  ])
})

const column = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => [`${from + i}．第${from + i}题（  ）`, 'A．甲    B．乙', '']).flat()
test('columns are read one after the other, a title over them first', async () => {
  const { questions, findings } = await readPages([
    text(180, 800, '军考模拟卷', 20) +
      lines(column(1, 8), { top: 770 }) +
      lines([...column(9, 8), '参考答案', '1-5 ABABA 6-10 BABAB', '11-16 ABABAB'], { x: 320, top: 770 }),
  ])
  expect(questions.map(({ stem }) => stem)).toEqual(Array.from({ length: 16 }, (_, i) => `第${i + 1}题（  ）`))
  expect(findings).toEqual(['warning 第1页“军考模拟卷” 不属于任何题目，未导入：军考模拟卷'])
})

test('options in two columns of one page stay with their question', async () => {
  const { questions } = await readPages([
    lines(Array.from({ length: 6 }, (_, i) => [`${1 + i}．短题${i}（  ）`, 'A．甲', 'C．丙', '答案：D']).flat()) +
      lines(Array.from({ length: 6 }, () => ['', 'B．乙', 'D．丁', '']).flat(), { x: 320 }),
  ])
  expect(questions.map(({ stem }) => stem)).toEqual(Array.from({ length: 6 }, (_, i) => `短题${i}（  ）`))
  for (const question of questions) expect(optionsOf(question)).toEqual(['甲', '乙', '丙', '丁'])
})

test('options that stand beside each other and go on below are put together; torn by a page they are refused', async () => {
  const beside = (y: number) => text(60, y, 'A．第一项') + text(180, y, 'B．第二项') + text(300, y, 'C．第三')
  const below = (y: number) => text(60, y, '的后半') + text(180, y, '也有')
  const { questions, findings } = await readPages([
    lines(['1．题（  ）']) +
      beside(760) +
      below(740) +
      lines(['答案：A'], { top: 720 }) +
      lines(['2．题二（  ）'], { top: 160 }) +
      beside(140),
    below(780) + lines(['答案：B'], { top: 760 }),
  ])
  expect(questions).toHaveLength(1)
  expect(optionsOf(questions[0])).toEqual(['第一项的后半', '第二项也有', '第三'])
  expect(findings).toEqual([expect.stringMatching(/^fault 第1页“2．题二.*换页（换栏）处断开/)])
})

test('tables with lines are tables, hold options, or are the answers', async () => {
  const { questions, findings } = await readPages([
    lines(['1．看表（  ）']) +
      grid(
        [
          ['年', '数'],
          ['2020', '3'],
        ],
        { top: 770 },
      ) +
      lines(['A．甲    B．乙', '2．选项在表里（  ）'], { top: 700 }) +
      grid(
        [
          ['A．甲', 'B．乙'],
          ['C．丙', 'D．丁'],
        ],
        { top: 670 },
      ) +
      lines(['参考答案'], { top: 600 }) +
      grid(
        [
          ['题号', '1', '2'],
          ['答案', 'B', 'D'],
        ],
        { top: 590 },
      ),
  ])
  expect(findings).toEqual([])
  expect(questions).toMatchObject([
    {
      stem: '<p>看表（  ）</p><table><tbody><tr><td>年</td><td>数</td></tr><tr><td>2020</td><td>3</td></tr></tbody></table>',
      key: ['B'],
    },
    { stem: '选项在表里（  ）', key: ['D'] },
  ])
  expect(optionsOf(questions[1])).toEqual(['甲', '乙', '丙', '丁'])
})

test('words of cells are apart, however little room is between them; words that stand as in a table without lines are told', async () => {
  const { questions, findings } = await readPages([
    lines(['1．看表（  ）']) +
      grid(
        [
          ['年', '人'],
          ['1', '2'],
        ],
        { top: 770, width: 19 },
      ) +
      lines(['A．甲    B．乙', '答案：A', '2．没有线（  ）'], { top: 700 }) +
      lines(['年份', '2020'], { top: 640 }) +
      lines(['人数', '35'], { x: 160, top: 640 }) +
      lines(['A．甲    B．乙', '答案：A'], { top: 600 }),
  ])
  expect(questions[0]?.stem).toContain('<td>年</td><td>人</td></tr><tr><td>1</td><td>2</td>')
  expect(questions).toHaveLength(2)
  expect(findings).toEqual([expect.stringMatching(/^warning 第1页“2．没有线.*像是没有画线的表格/)])
})

test('a picture belongs to the line in which it stands, as it is seen; a drawing keeps its question out', async () => {
  const { questions, findings, pictures } = await readPages([
    lines(['1．如图（  ）', '', '', 'A．甲    B．乙', '答案：A', '2．选图（  ）']) +
      picture(100, 730, 60, 40) +
      text(60, 650, 'A．') +
      picture(90, 640, 30, 30) +
      text(200, 650, 'B．') +
      `q 0 0 300 700 re W n ${picture(230, 640, 140, 30)} Q ` +
      lines(['答案：B', '3．如图，面积是（  ）'], { top: 610 }) +
      curve(100, 530, 50) +
      lines(['A．甲    B．乙', '答案：A'], { top: 500 }),
  ])
  expect(questions).toHaveLength(2)
  expect(questions[0]?.stem).toMatch(/^<p>如图（ {2}）<\/p><p><img src="[^"]+" width="80" height="53" alt="" \/><\/p>$/)
  expect(optionsOf(questions[1])).toEqual([
    expect.stringMatching(/^<img src="[^"]+" width="40" height="40"/),
    expect.stringMatching(/^<img src="[^"]+" width="93" height="40"/),
  ])
  expect(findings).toEqual([expect.stringMatching(/^fault 第1页“3．如图，面积是.*画出来的图形读不出/)])
  const files = await Promise.all(
    [...pictures.values()].map(async (bytes) => sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  )
  // Its upper half is red; half of the second one was cropped away.
  for (const { data } of files) expect([...data.subarray(0, 3)]).toEqual([255, 0, 0])
  expect(files.map(({ info }) => info.width).toSorted((a, b) => a - b)).toEqual([1, 2])
})

test('headers, footers and page numbers are left out and told; a question that looks alike on each page is none', async () => {
  const page = (n: number) =>
    text(60, 810, '××学校 2026 年模拟卷') +
    lines([`${n}．下列说法正确的是（  ）`, `A．甲${n}    B．乙`, '答案：A']) +
    text(270, 30, `第 ${n} 页 共 3 页`, 9)
  const { questions, findings } = await readPages([1, 2, 3].map(page))
  expect(questions.map(({ stem }) => stem)).toEqual([
    '下列说法正确的是（  ）',
    '下列说法正确的是（  ）',
    '下列说法正确的是（  ）',
  ])
  expect(findings[0]).toMatch(/^warning 文件 页眉、页脚、页码没有导入：“××学校 2026 年模拟卷”、“第 1 页 共 3 页”/)
  expect(optionsOf(questions[2])).toEqual(['甲3', '乙'])
})

test('a line that is filled by wide gaps between its characters has no spaces between them', async () => {
  const spread = (x: number, y: number, words: string, gap: number) =>
    Array.from(words, (each, i) =>
      text(
        x +
          Array.from(words)
            .slice(0, i)
            .reduce((sum, one) => sum + widthOf(one) + gap, 0),
        y,
        each,
      ),
    ).join('')
  const { questions } = await readPages([
    spread(60, 780, '1．两端对齐的一行字（  ）', 3) + lines(['A．甲    B．乙', '答案：A'], { top: 760 }),
  ])
  expect(questions[0]).toMatchObject({ stem: expect.stringMatching(/^两端对齐的一行字（ +）$/) })
})
