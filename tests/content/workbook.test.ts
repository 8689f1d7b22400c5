import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-workbook-'))
/** A workbook as Excel writes it: number formats, runs of text, pictures over and in cells, merged and hidden parts. */
const BOOK = unzipSync(readFileSync('tests/content/books/asSeen.xlsx'))
let files = 0

type Parts = Record<string, Uint8Array>
/** The workbook with some parts changed; null leaves them out. */
async function read(
  change: (text: (name: string) => string) => Record<string, string | Uint8Array> = () => ({}),
  withHidden = false,
) {
  const changed = change((name) => strFromU8(BOOK[name] ?? new Uint8Array()))
  const parts: Parts = { ...BOOK }
  for (const [name, data] of Object.entries(changed)) parts[name] = typeof data === 'string' ? strToU8(data) : data
  const file = path.join(folder, `${++files}.xlsx`)
  writeFileSync(file, zipSync(parts))
  const checked = await checkFile(file, { ...foreignLibrary('K'), withHidden })
  const questions = checked.placed.map(({ question }) => question)
  return {
    checked,
    of: (stem: string) => questions.find((each) => JSON.stringify(each).includes(stem)),
    findings: checked.findings
      .filter(({ reason }) => reason !== '没有解析')
      .map(({ at, reason }) => `${at}：${reason}`),
  }
}
const optionsOf = (question: unknown) => (question as { options: { html: string }[] }).options.map(({ html }) => html)
/** The pictures of a text, by their bytes among those of the workbook. */
function picturesIn(html: string, pictures: ReadonlyMap<string, Buffer>): (string | undefined)[] {
  return [...html.matchAll(/\/media\/([^"]+)/g)].map(([, name = '']) => {
    const bytes = pictures.get(name)
    return Object.keys(BOOK).find((part) => bytes && Buffer.from(BOOK[part] ?? []).equals(bytes))
  })
}

describe('what a cell shows is its text', () => {
  test('percentages, decimals and exponents', async () => {
    const { of } = await read()
    expect(optionsOf(of('及格率最高的是'))).toEqual(['25%', '30.0%', '0.50', '1.0E+05'])
  })

  test('days, times and truth, and it is told that some were dates', async () => {
    const { of, findings } = await read()
    expect(optionsOf(of('比分和时刻'))).toEqual(['1月2日', '1927/8/1', '1:02', 'TRUE'])
    expect(findings).toContain('数字 第3行 B列：单元格是日期或时间，按表格所显示的导入；若不是，请设为文本后重写')
  })

  test('results of formulae without the noise of arithmetic, long whole numbers without an exponent', async () => {
    const { of } = await read()
    expect(optionsOf(of('算出来的'))).toEqual(['0.3', '123456789012', '007', '1,234.50'])
  })

  test('errors of formulae are told', async () => {
    const { findings } = await read()
    expect(findings).toContain('数字 第5行 B列：单元格是错误值 #DIV/0!')
  })

  test.each([
    ['58 is a day of a month', 58, false, 46024, '1月2日'],
    ['31 is a day of a year', 31, false, 46024, '2026年1月2日'],
    ['14 is a day of the system', 14, false, 46024, '2026/1/2'],
    ['days may be counted from 1904', 31, true, 44562, '2026年1月2日'],
  ])('formats that a Chinese program names by their number alone: %s', async (_, format, is1904, value, shown) => {
    const { of } = await read((text) => ({
      'xl/styles.xml': text('xl/styles.xml').replace(/<xf numFmtId="164"/g, `<xf numFmtId="${format}"`),
      'xl/worksheets/sheet1.xml': text('xl/worksheets/sheet1.xml').replace('<v>0.25</v>', `<v>${value}</v>`),
      'xl/workbook.xml': text('xl/workbook.xml').replace(
        '<workbookPr ',
        is1904 ? '<workbookPr date1904="1" ' : '<workbookPr ',
      ),
    }))
    expect(optionsOf(of('及格率最高的是'))[0]).toBe(shown)
  })

  test('a formula without its result is told', async () => {
    const { findings } = await read((text) => ({
      'xl/worksheets/sheet1.xml': text('xl/worksheets/sheet1.xml').replace('<v>0.30000000000000004</v>', ''),
    }))
    expect(findings).toContain('数字 第4行 B列：单元格是公式，文件里没有算出的结果：请在表格软件里打开并保存一次')
  })

  test('raised, lowered, bold, struck and underlined runs, and ends of lines', async () => {
    const { of } = await read()
    const question = of('一千米是')
    expect(question?.stem).toBe(
      '<p>一千米是 10<sup>3</sup> 米，水是 H<sub>2</sub>O，<b>不</b>正确的是</p><p>第二行</p>',
    )
    expect(optionsOf(question)).toEqual(['10<sup>3</sup>', '103', '1<s>0</s>4', '105'])
    expect(of('划线部分')).toMatchObject({
      stem: '划线部分：<u>甲</u> 乙',
      options: [{ html: '子' }, { html: '<s>丑</s>' }],
      key: ['A'],
    })
  })
})

describe('pictures of a worksheet', () => {
  test('one over the cells belongs to the row of its upper edge', async () => {
    const { of, checked } = await read()
    expect(picturesIn(of('图形的颜色')?.stem ?? '', checked.pictures)).toEqual(['xl/media/image3.png'])
  })

  test('in cells, as Excel has them, they are the options', async () => {
    const { of, checked } = await read()
    expect(optionsOf(of('绿色的是')).map((html) => picturesIn(html, checked.pictures))).toEqual([
      ['xl/media/image1.png'],
      ['xl/media/image2.png'],
    ])
  })

  test('in cells, as WPS has them', async () => {
    const rid = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    const image = (name: string, id: string) =>
      `<etc:cellImage><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="${name}" descr="图"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="${id}"/></xdr:blipFill></xdr:pic></etc:cellImage>`
    const cell = (name: string) => `t="str"><f>_xlfn.DISPIMG("${name}",1)</f><v>=DISPIMG("${name}",1)</v></c>`
    const { of, checked } = await read((text) => ({
      'xl/worksheets/sheet3.xml': text('xl/worksheets/sheet3.xml')
        .replace('t="e" vm="1"><v>#VALUE!</v></c>', cell('ID_A1'))
        .replace('t="e" vm="2"><v>#VALUE!</v></c>', cell('ID_B2')),
      'xl/cellimages.xml': `<etc:cellImages ${rid} xmlns:xdr="x" xmlns:a="a" xmlns:etc="http://www.wps.cn/officeDocument/2017/etCustomData">${image('ID_A1', 'rId1')}${image('ID_B2', 'rId2')}</etc:cellImages>`,
      'xl/_rels/cellimages.xml.rels':
        '<Relationships><Relationship Id="rId1" Target="media/image5.png"/><Relationship Id="rId2" Target="media/image4.png"/></Relationships>',
    }))
    expect(optionsOf(of('绿色的是')).map((html) => picturesIn(html, checked.pictures))).toEqual([
      ['xl/media/image5.png'],
      ['xl/media/image4.png'],
    ])
  })

  test('one that begins in the last pixels of a row is the next row’s, one beside the texts the stem’s, one in an empty row is told', async () => {
    const { of, checked, findings } = await read()
    expect(of('没有图的题')?.stem).not.toContain('<img')
    expect(picturesIn(of('图在旁边一列')?.stem ?? '', checked.pictures)).toEqual(['xl/media/image4.png'])
    expect(findings).toContain('图片 第6行：图片所在的行没有文字，图片没有导入')
  })

  test('one that covers several questions is told', async () => {
    const { findings } = await read((text) => ({
      'xl/drawings/drawing1.xml': text('xl/drawings/drawing1.xml').replace(
        /<xdr:row>1<\/xdr:row>(?=<xdr:rowOff>\d+<\/xdr:rowOff><\/xdr:to>)/,
        '<xdr:row>3</xdr:row>',
      ),
    }))
    expect(findings).toContain('图片 第2行：图片盖到第4行，归入第2行，请核对')
  })
})

describe('merged cells', () => {
  test('hold for all their rows: a chapter, and a material that makes one 材料题 of them', async () => {
    const { of, checked } = await read()
    const titles = new Map(checked.bank?.chapters.map(({ no, title }) => [no, title]))
    const chapterOf = (stem: string) =>
      titles.get(checked.placed.find(({ question }) => JSON.stringify(question).includes(stem))?.chapterNo ?? '')
    expect(of('共跑多少')).toMatchObject({
      type: 'composite',
      stem: '某部两天跑了 3 公里和 5 公里。',
      parts: [{ key: ['A'] }, { stem: '差多少？', key: ['B'] }],
    })
    expect([chapterOf('共跑多少'), chapterOf('一加一'), chapterOf('一加二'), chapterOf('选项各占一行')]).toEqual([
      '第一章',
      '第一章',
      '第一章',
      '第二章',
    ])
  })

  test('over the rows of its options, a stem is one question', async () => {
    const { of } = await read()
    expect(of('选项各占一行')).toMatchObject({
      options: ['甲', '乙', '丙', '丁'].map((html) => ({ html })),
      key: ['C'],
    })
  })
})

describe('what is hidden', () => {
  test('is left out, and that is told', async () => {
    const { of, findings } = await read()
    expect([of('甲问'), of('丁问')].map((question) => optionsOf(question))).toEqual([
      ['一', '二'],
      ['一', '二'],
    ])
    expect([of('乙问'), of('丙问'), of('草稿问')]).toEqual([undefined, undefined, undefined])
    expect(findings).toEqual(
      expect.arrayContaining([
        '隐藏 第3行：到第4行是隐藏的，没有导入；要导入请加 --hidden',
        '隐藏 文件：D 列是隐藏的，没有导入；要导入请加 --hidden',
        '文件：工作表“草稿”是隐藏的，没有导入；要导入请加 --hidden',
      ]),
    )
  })

  test('is read when it is asked for', async () => {
    const { of, findings } = await read(undefined, true)
    expect(optionsOf(of('乙问'))).toEqual(['一', '二', '废'])
    expect(of('草稿问')).toMatchObject({ key: ['A'] })
    expect(findings.filter((each) => each.includes('--hidden'))).toEqual([])
  })

  test('when it is all that holds questions, it is said how to read it, and nothing is taken', async () => {
    const hide = (text: (name: string) => string) => ({
      'xl/workbook.xml': text('xl/workbook.xml').replace(/<sheet (?![^>]*state=)/g, '<sheet state="hidden" '),
    })
    const { checked, findings } = await read(hide)
    expect(checked).toMatchObject({ bank: null, importable: 0 })
    expect(findings.filter((each) => each.includes('取消隐藏'))).toEqual([
      expect.stringMatching(/^文件：看得见的工作表里没有题目.*“数字”.*请加 --hidden/),
    ])
    expect((await read(hide, true)).checked.importable).toBeGreaterThan(10)
  })
})
