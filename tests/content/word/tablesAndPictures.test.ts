import { describe, expect, test } from 'vitest'
import { cell, optionsOf, p, picture, r, readWord, table } from '#tests/support/wordFile.ts'

/** Pictures of one pixel that differ in a byte behind their end. */
const png = (n: number) =>
  Buffer.concat([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.from([n]),
  ])
const media = {
  i1: { name: 'image1.png', bytes: png(1) },
  i2: { name: 'image2.png', bytes: png(2) },
  w: { name: 'image3.wmf', bytes: Buffer.from('d7cdc69a0000', 'hex') },
}
const IMAGE = /^<img src="\/media\/[a-f0-9]{16,64}\.png" width="100" height="50" alt="" \/>$/
const drawing = (inner: string) =>
  `<w:r><w:drawing><wp:inline><a:graphic><a:graphicData>${inner}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`

test('a table that says it is wider than Word draws one is read as wide as that', async () => {
  const wide = table(['年', cell('数', '<w:gridSpan w:val="9000000000"/>')], ['2020', '3']).replace(
    '<w:tr>',
    '<w:tr><w:trPr><w:gridBefore w:val="9000000000"/></w:trPr>',
  )
  const { questions } = await readWord([p('1. 看表（A）'), wide, p('A. 甲'), p('B. 乙')])
  expect(questions[0]?.stem).toContain('<td colspan="63">数</td>')
})

describe('pictures', () => {
  test('belong to the stem or the option in which they stand', async () => {
    const { questions, checked } = await readWord(
      [p(r('1. 如图') + picture('i1')), p(r('A. ') + picture('i1')), p(r('B. ') + picture('i2')), p('答案：B')],
      { media },
    )
    expect(questions[0]?.stem).toMatch(/^如图<img .*width="100" height="50"/)
    expect(optionsOf(questions[0])).toEqual([expect.stringMatching(IMAGE), expect.stringMatching(IMAGE)])
    expect(checked.pictures.size).toBe(2)
  })

  test('one that lies over the text is in no number’s way', async () => {
    const { questions } = await readWord(
      [p(picture('i1', { floats: true }) + r('1. 如图')), p('A. 甲'), p('B. 乙'), p('答案：B')],
      { media },
    )
    expect(questions[0]?.stem).toMatch(/^如图<img /)
  })

  test('one below the last option is the question’s, which is told; where all have one, it is the option’s', async () => {
    const below = [p('A. 甲'), p('B. 乙'), p(picture('i1')), p('答案：B')]
    const one = await readWord([p('1. 如图'), ...below], { media })
    expect(one.questions[0]?.stem).toMatch(/^<p>如图<\/p><p><img /)
    expect(optionsOf(one.questions[0])).toEqual(['甲', '乙'])
    expect(one.findings).toContainEqual(expect.stringContaining('在最后一个选项之后，放进了题干'))
    const all = await readWord([p('1. 选'), p('A. 甲'), p(picture('i2')), p('B. 乙'), p(picture('i1')), p('答案：B')], {
      media,
    })
    expect(optionsOf(all.questions[0])).toEqual([expect.stringMatching(/甲.*<img/), expect.stringMatching(/乙.*<img/)])
  })

  test('a picture that is cut or turned is told', async () => {
    const { findings } = await readWord(
      [p(r('1. 如图（A）') + picture('i1', { pic: '<a:srcRect l="5000"/>' })), p('A. 甲'), p('B. 乙')],
      { media },
    )
    expect(findings).toContainEqual(expect.stringContaining('裁剪、旋转或翻转过'))
  })

  test.each([
    ['of a kind that no browser shows', picture('w'), 'WMF 格式，浏览器不能显示'],
    ['that is missing', picture('gone'), '图片在文件里找不到'],
    ['that is a chart', drawing('<c:chart r:id="x"/>'), '图表读不出'],
    ['that is SmartArt', drawing('<dgm:relIds/>'), 'SmartArt 读不出'],
    ['that is a shape', drawing('<wps:wsp><wps:spPr/></wps:wsp>'), '画出来的图形'],
    [
      'that is a box of text',
      drawing(`<wps:wsp><wps:txbx><w:txbxContent>${p('框里的字')}</w:txbxContent></wps:txbx></wps:wsp>`),
      '文本框里的文字“框里的字”',
    ],
    ['that is an old shape', '<w:r><w:pict><v:oval/></w:pict></w:r>', '画出来的图形'],
    [
      'that is a file',
      '<w:r><w:object><o:OLEObject ProgID="Excel.Sheet.12"/></w:object></w:r>',
      '嵌入的对象（Excel.Sheet.12）',
    ],
  ])('one %s keeps its question out', async (_, content, said) => {
    const { questions, findings } = await readWord(
      [p(r('1. 如图') + content), p('A. 甲'), p('B. 乙'), p('答案：B'), p('2. 好题（A）'), p('A. 甲'), p('B. 乙')],
      { media },
    )
    expect(questions).toMatchObject([{ stem: '好题（ ）' }])
    expect(findings).toContainEqual(expect.stringMatching(/^fault 第1段/))
    expect(findings.join()).toContain(said)
  })

  test('what a new program draws may be a picture for old ones', async () => {
    const both = `<mc:AlternateContent><mc:Choice Requires="cx"><w:drawing><wp:inline><a:graphic><a:graphicData><cx:chart/></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback>${picture('i1').replace(/<\/?w:r>/g, '')}</mc:Fallback></mc:AlternateContent>`
    const { questions, findings } = await readWord(
      [p(r('1. 如图') + `<w:r>${both}</w:r>`), p('A. 甲'), p('B. 乙'), p('答案：B')],
      { media },
    )
    expect(questions[0]?.stem).toMatch(/^如图<img /)
    expect(findings).toEqual([])
  })

  test('one outside all questions is told', async () => {
    const { findings } = await readWord([p('卷名'), p(picture('i1')), p('1. 题（A）'), p('A. 甲'), p('B. 乙')], {
      media,
    })
    expect(findings).toContainEqual('warning 第2段“［图］” 图片不在任何题目里，没有导入')
  })
})

describe('tables', () => {
  test('of data stay in the stem, with merged cells, lines, marks and formulae', async () => {
    const { questions } = await readWord([
      p('1. 据表'),
      table(
        [cell('合并', '<w:gridSpan w:val="2"/>'), '丙'],
        [cell('竖', '<w:vMerge w:val="restart"/>'), cell(p('一') + p('二')), '3'],
        [cell('', '<w:vMerge/>'), cell(p(r('10') + r('2', '<w:vertAlign w:val="superscript"/>'))), '6'],
      ),
      p('下列正确的是'),
      p('A. 甲'),
      p('B. 乙'),
      p('答案：B'),
    ])
    expect(questions[0]?.stem).toBe(
      '<p>据表</p><table><tbody><tr><td colspan="2">合并</td><td>丙</td></tr><tr><td rowspan="2">竖</td><td>一<br />二</td><td>3</td></tr><tr><td>10<sup>2</sup></td><td>6</td></tr></tbody></table><p>下列正确的是</p>',
    )
  })

  test.each([
    [
      'by rows',
      [
        ['A. 甲', 'B. 乙'],
        ['C. 丙', 'D. 丁'],
      ],
    ],
    [
      'by columns',
      [
        ['A. 甲', 'C. 丙'],
        ['B. 乙', 'D. 丁'],
      ],
    ],
    [
      'with letters in cells of their own',
      [
        ['A.', '甲'],
        ['B.', '乙'],
        ['C.', '丙'],
        ['D.', '丁'],
      ],
    ],
  ])('that set options beside each other are options: %s', async (_, rows) => {
    const { questions } = await readWord([p('1. 选（B）'), table(...rows)])
    expect(optionsOf(questions[0])).toEqual(['甲', '乙', '丙', '丁'])
  })

  test('options whose order cannot be told keep their question out', async () => {
    const { questions, findings } = await readWord([
      p('1. 选（B）'),
      table(['注意', 'A. 甲', 'C. 丙'], ['', 'B. 乙', 'D. 丁']),
    ])
    expect(questions).toEqual([])
    expect(findings).toContainEqual(expect.stringMatching(/^fault .*读不出次序/))
  })

  test('with a head of questions are banks, beside a text or alone', async () => {
    const { questions, findings } = await readWord([
      p('题库'),
      table(
        ['题型', '题目', '选项', '正确答案', '解析'],
        [
          '单选',
          cell(p(r('水是H') + r('2', '<w:vertAlign w:val="subscript"/>') + r('O'))),
          cell(p('A. 甲') + p('B. 乙')),
          'B',
          '略',
        ],
        ['判断', '对吗', '', '√', ''],
      ),
    ])
    expect(questions).toMatchObject([
      {
        type: 'single',
        stem: '水是H<sub>2</sub>O',
        key: ['B'],
        analysis: '略',
        options: [{ html: '甲' }, { html: '乙' }],
      },
      { type: 'judge', key: ['A'] },
    ])
    expect(findings).toEqual(['warning 第1段“题库” 表格以外的文字没有导入'])
  })

  test('of answers at the end answer the questions', async () => {
    const asked = [1, 2, 3].flatMap((n) => [p(`${n}. 第${n}题`), p('A. 甲'), p('B. 乙')])
    const lying = await readWord([...asked, table(['题号', '1', '2', '3'], ['答案', 'B', 'A', 'B'])])
    expect(lying.questions).toMatchObject([{ key: ['B'] }, { key: ['A'] }, { key: ['B'] }])
    const upright = await readWord([
      ...asked,
      p('参考答案'),
      table(['题号', '答案'], ['1', 'B'], ['2', 'A'], ['3', 'A']),
    ])
    expect(upright.questions).toMatchObject([{ key: ['B'] }, { key: ['A'] }, { key: ['A'] }])
    const before = await readWord([table(['题号', '1', '2', '3'], ['答案', 'B', 'A', 'B']), ...asked, p('答案：A')])
    expect(before.questions).toMatchObject([{ stem: '第3题', key: ['A'] }])
    expect(before.findings).toContainEqual(expect.stringContaining('答案表在题目之前，没有采用'))
  })

  test('to be filled in, or for marks, are no part of a question, which is told', async () => {
    const { questions, findings } = await readWord([
      p('一、单选题'),
      table(['题号', '1', '2'], ['答案', '', '']),
      p('1. 题（A）'),
      p('A. 甲'),
      p('B. 乙'),
      table(['得分', '评卷人'], ['', '']),
      p('2. 又（B）'),
      p('A. 甲'),
      p('B. 乙'),
    ])
    expect(questions).toHaveLength(2)
    expect(JSON.stringify(questions)).not.toContain('table')
    expect(findings.join()).toMatch(
      /空白的答题表没有导入.*登记分数的表格没有导入|登记分数的表格没有导入.*空白的答题表没有导入/,
    )
  })

  test('in each other, or full of what looks like questions, keep the question out', async () => {
    const nested = await readWord([
      p('1. 题（A）'),
      table([cell(table(['甲', '乙']) + p('')), '丙']),
      p('A. 甲'),
      p('B. 乙'),
    ])
    expect(nested.findings).toContainEqual(expect.stringMatching(/^fault .*套着表格/))
    const asking = await readWord([p('1. 题（A）'), p('A. 甲'), p('B. 乙'), table(['2. 对吗', '√'], ['3. 错吗', '×'])])
    expect(asking.findings).toContainEqual(expect.stringMatching(/^fault .*像是题目/))
  })

  test('a row that was deleted, or is hidden, is not there', async () => {
    const body = table(['甲', '乙'], ['丙', '丁'], ['戊', '己'])
      .replace(
        '<w:tr><w:tc><w:tcPr></w:tcPr><w:p><w:r><w:t xml:space="preserve">丙',
        '<w:tr><w:trPr><w:del/></w:trPr><w:tc><w:tcPr></w:tcPr><w:p><w:r><w:t xml:space="preserve">丙',
      )
      .replace(
        '<w:tr><w:tc><w:tcPr></w:tcPr><w:p><w:r><w:t xml:space="preserve">戊',
        '<w:tr><w:trPr><w:hidden/></w:trPr><w:tc><w:tcPr></w:tcPr><w:p><w:r><w:t xml:space="preserve">戊',
      )
    const { questions, findings } = await readWord([p('1. 题（A）'), body, p('A. 甲'), p('B. 乙')])
    expect(questions[0]?.stem).toContain('<table><tbody><tr><td>甲</td><td>乙</td></tr></tbody></table>')
    expect(findings.join()).toMatch(/隐藏的行.*修订/)
  })
})
