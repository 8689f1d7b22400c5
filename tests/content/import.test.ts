import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import iconv from 'iconv-lite'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { FileFault } from '#server/content/draft.ts'
import type { Checked } from '#server/content/bank/checked.ts'
import { checkFile, writeChecked } from '#server/content/bank/import.ts'
import type { LibraryOptions } from '#server/content/formats/readers.ts'
import { richText } from '#server/content/formats/richText.ts'
import { contract } from '#src/contract/index.ts'
import { BLOCK_SIZE, type Question } from '#src/contract/question.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-import-'))
const library: LibraryOptions = {
  library: 'T',
  title: '试卷',
  subject: { no: 'politics', name: '政治' },
  directions: [],
  areas: [],
  chapter: '综合',
  headers: {},
}
const own = (questions: unknown[], over: object = {}) => ({
  format: 'lijian/1',
  subject: { no: 'politics', name: '政治' },
  points: [{ no: 'p1', parent: null, name: '军史' }],
  library: { no: 'J', title: '章节题库' },
  chapters: [{ no: 'J_c1', parent: null, title: '第一章' }],
  questions: questions.map((each) => ({ chapter: 'J_c1', analysis: '略', ...(each as object) })),
  ...over,
})
const single = { type: 'single', stem: '一加一等于几？', options: ['一', '二', '三'], answer: 'B' }

let files = 0
function saved(ending: string, content: string | Buffer): string {
  const file = path.join(folder, `bank${++files}.${ending}`)
  writeFileSync(file, content)
  return file
}
const json = (questions: unknown[], over: object = {}) =>
  checkFile(saved('json', JSON.stringify(own(questions, over))), null)
const csv = (content: string | Buffer, over: Partial<LibraryOptions> = {}) =>
  checkFile(saved('csv', content), { ...library, ...over })
const gift = (content: string) => checkFile(saved('gift', content), library)
const questions = ({ placed }: Checked): Question[] => placed.map(({ question }) => question)
const faults = ({ findings }: Checked) => findings.filter(({ level }) => level === 'fault')
const warnings = ({ findings }: Checked) =>
  findings.filter(({ level }) => level === 'warning').map(({ reason }) => reason)
/** What a student reads and what counts as right: enough to compare a question with its source. */
const told = (question: Question | undefined) =>
  question && {
    type: question.type,
    stem: plainText(question.stem),
    ...('options' in question && { options: question.options.map(({ html }) => plainText(html)), key: question.key }),
  }

describe('own JSON', () => {
  test('every type comes in with everything it has', async () => {
    const checked = await json([
      { ...single, no: 'J_1', points: ['p1'], difficulty: 2, source: '真题', year: 2024 },
      { no: 'J_2', type: 'multiple', stem: '偶数有', options: ['2', '3', '4'], answer: ['C', 'A'] },
      { no: 'J_3', type: 'indefinite', stem: '奇数有', options: ['2', '3'], answer: 'B' },
      { no: 'J_4', type: 'judge', stem: '地球是圆的。', answer: true },
      { no: 'J_5', type: 'blank', stem: '____起义在____。', blanks: [['八一', '南昌'], ['南昌']], unordered: true },
      {
        no: 'J_6',
        type: 'essay',
        stem: '论持久战',
        reference: '三个阶段',
        scoring: [{ text: '防御', score: 1.5 }],
      },
      {
        no: 'J_7',
        type: 'composite',
        stem: '阅读材料',
        parts: [single, { ...single, no: 'J_7b', stem: '二加一？', answer: 'C' }],
      },
    ])
    expect(checked.findings).toEqual([])
    expect(checked.total).toBe(7)
    expect(questions(checked)).toMatchObject([
      {
        no: 'J_1',
        type: 'single',
        key: ['B'],
        points: [{ no: 'p1', name: '军史' }],
        difficulty: 2,
        source: '真题',
        year: 2024,
        analysis: '略',
      },
      { no: 'J_2', type: 'multiple', key: ['A', 'C'], difficulty: 3, year: 0 },
      { no: 'J_3', type: 'indefinite', key: ['B'] },
      { no: 'J_4', type: 'judge', key: ['A'], options: [{ html: '对' }, { html: '错' }] },
      { no: 'J_5', type: 'blank', blanks: [['八一', '南昌'], ['南昌']], unordered: true },
      { no: 'J_6', type: 'essay', reference: '三个阶段', scoring: [{ html: '防御', score: 150 }] },
      {
        no: 'J_7',
        type: 'composite',
        parts: [
          { no: 'J_7_1', key: ['B'] },
          { no: 'J_7b', key: ['C'] },
        ],
      },
    ])
  })

  test('reasons by letter stand with their options; what the analysis says, and what has no option, does not', async () => {
    const checked = await json([
      { ...single, reasons: { a: ' 少加了一 ', Ｂ: '$1+1=2$', C: '' } },
      { ...single, stem: '其他', analysis: '同上', reasons: { A: '同上 ' } },
      { type: 'judge', stem: '一大于二。', answer: '错', analysis: '', reasons: { A: '<p onclick="x">看反了</p>' } },
      { type: 'essay', stem: '论', reference: '略', reasons: { A: '什么' } },
      { type: 'composite', stem: '材料', reasons: { A: '什么' }, parts: [{ ...single, reasons: { C: '多加了一' } }] },
    ])
    expect(faults(checked)).toEqual([])
    expect(warnings(checked)).toEqual(['逐项解析只用于有选项的题，未导入', '逐项解析只用于有选项的题，未导入'])
    const whys = questions(checked)
      .flatMap((each) => partsOf(each))
      .map((part) => ('options' in part ? part.options.map(({ why }) => why) : null))
    expect(whys).toEqual([
      ['少加了一', expect.stringContaining('<math>'), undefined],
      [undefined, undefined, undefined],
      ['<p>看反了</p>', undefined],
      null,
      [undefined, undefined, '多加了一'],
    ])
    expect(JSON.stringify(questions(checked)[1])).not.toContain('why')
  })

  test('a reason of an option that is not there is a fault', async () => {
    const checked = await json([{ ...single, reasons: { D: '没有这一项' } }])
    expect(faults(checked)).toMatchObject([{ at: 'questions[0]', reason: '逐项解析 D 不在选项中' }])
  })

  test('sub-questions have the points and the difficulty of their material where they name none', async () => {
    const parts = [single, { ...single, stem: '二加一？', points: [], difficulty: 1 }]
    const [question] = questions(
      await json([{ type: 'composite', stem: '材料', points: ['p1'], difficulty: 5, parts }]),
    )
    expect(question && partsOf(question)).toMatchObject([
      { points: [{ no: 'p1' }], difficulty: 5 },
      { points: [], difficulty: 1 },
    ])
  })

  test('a year that cannot be one is left out, and a question without one has none', async () => {
    const checked = await json([2024, 24, 20_240, undefined].map((year, i) => ({ ...single, stem: `第${i}问`, year })))
    expect(questions(checked).map(({ year }) => year)).toEqual([2024, 0, 0, 0])
  })

  test('a 多选题 with one right option becomes a 不定项, and says so', async () => {
    const checked = await json([{ ...single, type: 'multiple' }])
    expect(questions(checked)).toMatchObject([{ type: 'indefinite', key: ['B'] }])
    expect(warnings(checked)).toEqual(['多选题只有一个答案，按不定项导入'])
  })

  test('the same question has another number in another library', async () => {
    const numberIn = async (no: string) => questions(await json([single], { library: { no, title: '题库' } }))[0]?.no
    expect(await numberIn('J')).toBe(await numberIn('J'))
    expect(await numberIn('J')).not.toBe(await numberIn('K'))
  })

  test('a list of answers fills as many blanks', async () => {
    const [question] = questions(await json([{ type: 'blank', stem: '____与____', answer: ['甲', '乙'] }]))
    expect(question).toMatchObject({ blanks: [['甲'], ['乙']] })
  })

  test.each([
    ['no JSON', '{"format":', '不是有效的 JSON'],
    ['another format', '{"format":"x"}', 'format 应为'],
    ['a list', '[]', '缺少 format'],
    ['nothing', '', '不是有效的 JSON'],
    ['a parent that does not exist', own([], { chapters: [{ no: 'b', parent: 'a', title: '乙' }] }), '上级 a 不存在'],
    [
      'chapters in a circle',
      own([], {
        chapters: [
          { no: 'a', parent: 'b', title: '甲' },
          { no: 'b', parent: 'a', title: '乙' },
        ],
      }),
      '上级 b 不存在',
    ],
    [
      'a chapter twice',
      own([], {
        chapters: [
          { no: 'a', parent: null, title: '甲' },
          { no: 'a', parent: null, title: '乙' },
        ],
      }),
      '章节编号 a 重复',
    ],
    ['a point below nothing', own([], { points: [{ no: 'b', parent: 'a', name: '乙' }] }), '知识点 b 的上级 a 不存在'],
  ])('%s is a fault of the whole file', async (_, content, reason) => {
    const file = saved('json', typeof content === 'string' ? content : JSON.stringify(content))
    const checked = await checkFile(file, null)
    expect(checked.bank).toBeNull()
    expect(checked.findings).toMatchObject([{ file, at: '文件', level: 'fault' }])
    expect(checked.findings[0]?.reason).toContain(reason)
  })

  test('a BOM, or GBK, is read as well', async () => {
    const text = JSON.stringify(own([single]))
    for (const bytes of [Buffer.from(`\uFEFF${text}`), iconv.encode(text, 'gbk')])
      expect(told(questions(await checkFile(saved('json', bytes), null))[0])?.options).toEqual(['一', '二', '三'])
  })
})

const TABLE = `编号,章节,题型,题干,选项A,选项B,选项C,答案,解析,知识点,难度,来源,年份
T_1,马原/唯物论,单选题,世界的本原是,意识,物质,运动,B,物质第一性。,物质；意识,2,模拟,2025
T_2,马原/辩证法,判断题,矛盾是普遍的。,,,,对,,,,,
,,填空题,"三湾改编在____年，
支部建在____上",,,,1927//一九二七;连,,,,,
`
describe('CSV', () => {
  test.each([
    ['UTF-8', Buffer.from(TABLE)],
    ['UTF-8 with BOM and CRLF', Buffer.from(`\uFEFF${TABLE.replaceAll('\n', '\r\n')}`)],
    ['GBK', iconv.encode(TABLE, 'gbk')],
  ])('in %s: every column, a cell of two lines, chapters by title, points by name', async (_, bytes) => {
    const checked = await csv(bytes)
    expect(faults(checked)).toEqual([])
    expect(questions(checked)).toMatchObject([
      {
        no: 'T_1',
        type: 'single',
        key: ['B'],
        difficulty: 2,
        year: 2025,
        points: [{ name: '物质' }, { name: '意识' }],
      },
      { no: 'T_2', type: 'judge', key: ['A'] },
      { type: 'blank', stem: '<p>三湾改编在____年，</p><p>支部建在____上</p>', blanks: [['1927', '一九二七'], ['连']] },
    ])
    expect(checked.bank?.chapters.map(({ title }) => title)).toEqual(['马原', '唯物论', '辩证法', '综合'])
  })

  test('foreign headers are mapped, and what is not mapped is not read', async () => {
    const headers = { q: '题干', right: '答案', first: '选项A', second: '选项B' }
    const bytes = iconv.encode('id,q,right,first,second\n1,首都是？,B,上海,北京\n', 'gbk')
    const checked = await csv(bytes, { headers })
    expect(questions(checked).map(told)).toEqual([
      { type: 'single', stem: '首都是？', options: ['上海', '北京'], key: ['B'] },
    ])
    expect(faults(await csv(bytes))).toMatchObject([{ at: '文件', reason: expect.stringContaining('--map') }])
  })

  test.each([
    ['one a line', '"A. 甲\nB. 乙\nC. 丙"'],
    ['one a line, unmarked', '"甲\n乙\n丙"'],
    ['separated by spaces', 'A. 甲 B. 乙 C. 丙'],
    ['glued', 'A．甲B．乙C．丙'],
    ['in brackets', '（A）甲（B）乙（C）丙'],
    ['separated by strokes', 'A. 甲|B. 乙|C. 丙'],
  ])('options in one cell, %s', async (_, cell) => {
    const [question] = questions(await csv(`题干,选项,答案\n选哪个,${cell},C\n`))
    expect(told(question)).toMatchObject({ stem: '选哪个', options: ['甲', '乙', '丙'], key: ['C'] })
  })

  test.each([
    ['one a line', '"选哪个\nA. 甲\nB. 乙"'],
    ['glued to the stem', '选哪个（ ）A．甲 B．乙'],
    ['after a numbered list of statements', '"选哪个\n①子 ②丑\nA. 甲  B. 乙"'],
    ['glued to circled numbers', '"选哪个\nA．甲①B．乙②"'],
  ])('options in the stem, %s', async (_, stem) => {
    const [question] = questions(await csv(`题干,答案\n${stem},A\n`))
    expect(told(question)).toMatchObject({ key: ['A'] })
    expect(told(question)?.options?.map((option) => option[0])).toEqual(['甲', '乙'])
    expect(question?.stem).not.toContain('甲')
  })

  test('a column for the reason of each option', async () => {
    const rows =
      '题干,题型,A,B,答案,A解析,对在哪\n几年,单选,1927,1929,A,南昌起义,古田会议\n一大于二。,判断,,,错,看反了,\n'
    const checked = await csv(rows, { headers: { 对在哪: 'B解析' } })
    expect(checked.findings).toEqual([])
    expect(questions(checked)).toMatchObject([
      { options: [{ why: '南昌起义' }, { why: '古田会议' }], analysis: '' },
      { options: [{ id: 'A', why: '看反了' }, { id: 'B' }] },
    ])
  })

  test('a letter at the start of one option is text, of all options a marker', async () => {
    const rows = '题干,A,B,C,答案\nHow many?,A few,Many,None,A\nHow much?,A. 1,B. 2,C. 3,A\n'
    expect(questions(await csv(rows)).map((each) => told(each)?.options)).toEqual([
      ['A few', 'Many', 'None'],
      ['1', '2', '3'],
    ])
  })

  test('questions that differ in a sign only are different questions', async () => {
    const checked = await csv('题干,A,B,答案\n计算 6*2,3,12,B\n计算 6/2,3,12,A\n计算 6-2,4,12,A\n')
    expect(questions(checked)).toHaveLength(3)
  })

  test('the same question twice in a file is imported once, and said', async () => {
    const checked = await csv('题干,A,B,答案\n首都是,上海,北京,B\n首都是,上海,北京,B\n')
    expect(questions(checked)).toHaveLength(1)
    expect(faults(checked)).toEqual([])
    expect(checked.findings.at(-1)).toMatchObject({ at: '第3行', reason: '与第2行重复，只导入一次' })
  })

  test('the same question with another answer is a fault: nobody can tell which is right', async () => {
    const checked = await csv('题干,A,B,答案\n首都是,上海,北京,B\n首都是,上海,北京,A\n')
    expect(faults(checked)).toMatchObject([{ at: '第3行', reason: '与第2行题目相同而答案不同' }])
  })

  test('options that differ in their markup only, such as 3 and √3, are different options', async () => {
    const checked = await csv('题干,A,B,C,答案\n三的平方根是,$3$,$\\sqrt{3}$,3,B\n')
    expect(faults(checked)).toEqual([])
  })

  test.each([
    ['semicolons, as spreadsheets of some countries write them', ';'],
    ['tabs, as copied cells are', '\t'],
  ])('cells may be parted by %s, and hold commas then', async (_, sign) => {
    const rows = [
      ['题干', 'A', 'B', '答案'],
      ['首都是，按顺序,', '北京,中国', '上海', 'A'],
    ]
    const checked = await csv(rows.map((row) => row.join(sign)).join('\n'))
    expect(questions(checked).map(told)).toEqual([
      { type: 'single', stem: '首都是，按顺序,', options: ['北京,中国', '上海'], key: ['A'] },
    ])
  })

  test('points may be parted by any of the usual signs', async () => {
    const checked = await csv('题干,A,B,答案,知识点\n首都是,上海,北京,B,"地理、中国；城市，首都"\n')
    expect(questions(checked)[0]?.points.map(({ name }) => name)).toEqual(['地理', '中国', '城市', '首都'])
  })

  test('blanks take their texts in any order only where the table says 是', async () => {
    const rows = ['是', '否', ''].map((unordered, i) => `第${i}问：____与____,甲;乙,填空题,${unordered}\n`)
    const checked = await csv(`题干,答案,题型,无序\n${rows.join('')}`)
    expect(questions(checked).map((each) => 'unordered' in each && each.unordered)).toEqual([true, false, false])
  })

  test.each([
    ['no header', '一,二\n三,四\n', '题干'],
    ['nothing', '', '题干'],
    ['a quote that never ends', '题干,答案\n"甲,乙\n', '不是有效的 CSV'],
  ])('%s is a fault of the whole file', async (_, content, reason) => {
    const checked = await csv(content)
    expect(checked.bank).toBeNull()
    expect(checked.findings[0]?.reason).toContain(reason)
  })
})

describe('XLSX', () => {
  test('a file that is none is a fault of the file', async () => {
    const checked = await checkFile(saved('xlsx', 'no workbook'), library)
    expect(checked.findings).toMatchObject([{ at: '文件', level: 'fault' }])
  })

  /** A workbook with one question, changed: rows after its own, or whole parts. */
  async function changed(rows: string, parts: Record<string, Uint8Array> = {}): Promise<Checked> {
    const file = path.join(folder, `book${++files}.xlsx`)
    const own = [
      ['题干', '选项A', '选项B', '答案'],
      ['一加一等于几？', '一', '二', 'B'],
    ]
    await writeXlsxFile([{ sheet: '题', data: own.map((row) => row.map((value) => ({ value }))) }]).toFile(file)
    const all = Object.entries({ ...unzipSync(readFileSync(file)), ...parts }).map(([name, data]) => [
      name,
      name.endsWith('/sheet1.xml') ? strToU8(strFromU8(data).replace('</sheetData>', `${rows}</sheetData>`)) : data,
    ])
    writeFileSync(file, saying(zipSync(Object.fromEntries(all)), new Set(Object.keys(parts))))
    return checkFile(file, library)
  }
  /** Says of each of these parts, where it stands and in the list at the end, that it unpacks to ten bytes. */
  function saying(zip: Uint8Array, parts: ReadonlySet<string>): Uint8Array {
    const bytes = Buffer.from(zip)
    for (const { mark, size, nameLength, name } of [
      { mark: 'PK\u0003\u0004', size: 22, nameLength: 26, name: 30 },
      { mark: 'PK\u0001\u0002', size: 24, nameLength: 28, name: 46 },
    ])
      for (let at = bytes.indexOf(mark, 0, 'latin1'); at >= 0; at = bytes.indexOf(mark, at + 4, 'latin1'))
        if (parts.has(bytes.toString('utf8', at + name, at + name + bytes.readUInt16LE(at + nameLength))))
          bytes.writeUInt32LE(10, at + size)
    return bytes
  }
  test('a few kilobytes that unpack to hundreds of megabytes are refused before they are read', async () => {
    const bomb = new Uint8Array(65 * 1024 * 1024)
    for (const name of ['xl/worksheets/sheet2.xml', 'xl/sharedStrings.xml', 'xl/media/image1.png'])
      expect((await changed('', { [name]: bomb })).findings).toMatchObject([
        { level: 'fault', reason: '表格解开后超过 64 MB：请分成几个文件，或改用 .csv' },
      ])
  })
  test('a lone cell far away is refused: all between would have to be filled', async () => {
    const { findings } = await changed('<row r="900000"><c r="ZZ900000"><v>1</v></c></row>')
    expect(findings).toMatchObject([
      { level: 'fault', reason: expect.stringContaining('表格太大：内容一直到第 900000 行、第 702 列') },
    ])
  })
  test('a row beyond the last one of any spreadsheet is refused', async () => {
    expect((await changed('<row r="1048577"/>')).findings).toMatchObject([
      { level: 'fault', reason: '表格有第 1048577 行：不是有效的 XLSX' },
    ])
  })
  test('empty cells far away, which only have a look, do not matter', async () => {
    const checked = await changed('<row r="1000000"><c r="XFD1000000" s="0"/></row>')
    expect(faults(checked)).toEqual([])
    expect(questions(checked)).toMatchObject([{ stem: '一加一等于几？', key: ['B'] }])
  })

  /** A day as a spreadsheet keeps it: a number that it shows as a day. */
  const day = (of: string) => ({ value: new Date(`${of}T00:00:00Z`), format: 'yyyy/m/d' })
  type Cell = string | number | boolean | null | ReturnType<typeof day>
  async function workbook(sheets: Record<string, Cell[][]>): Promise<Checked> {
    const file = path.join(folder, `book${++files}.xlsx`)
    const written = Object.entries(sheets).map(([sheet, rows]) => ({
      sheet,
      data: rows.map((row) => row.map((cell) => (cell === null || typeof cell === 'object' ? cell : { value: cell }))),
    }))
    await writeXlsxFile(written).toFile(file)
    return checkFile(file, library)
  }

  test('cells that the spreadsheet has made figures, truth or days of are read as they are shown', async () => {
    const checked = await workbook({
      题目: [
        ['题干', '题型', '选项A', '选项B', '答案', '难度'],
        ['南昌起义在哪天？', null, day('1921-07-23'), day('1927-08-01'), 'B', 2],
        ['一加一等于二。', '判断', null, null, true, null],
        ['一加一等于几？', null, 1, 2.5, 'A', null],
      ],
    })
    expect(faults(checked)).toEqual([])
    expect(questions(checked).map(told)).toEqual([
      { type: 'single', stem: '南昌起义在哪天？', options: ['1921/7/23', '1927/8/1'], key: ['B'] },
      { type: 'judge', stem: '一加一等于二。', options: ['对', '错'], key: ['A'] },
      { type: 'single', stem: '一加一等于几？', options: ['1', '2.5'], key: ['A'] },
    ])
    expect(questions(checked)[0]?.difficulty).toBe(2)
  })

  test('a day is the same wherever the importing computer stands', async () => {
    const here = process.env.TZ
    process.env.TZ = 'America/New_York'
    try {
      const checked = await workbook({
        题目: [
          ['题干', '选项A', '选项B', '答案'],
          ['哪天？', day('1927-08-01'), '不详', 'A'],
        ],
      })
      expect(told(questions(checked)[0])?.options).toEqual(['1927/8/1', '不详'])
    } finally {
      if (here === undefined) delete process.env.TZ
      else process.env.TZ = here
    }
  })

  test('every sheet of questions is read, a fault names its sheet, and other sheets are notes', async () => {
    const head = ['题干', '选项A', '选项B', '答案']
    const checked = await workbook({
      说明: [['请勿删除'], ['题干写在下一张']],
      单选: [head, ['甲问', '一', '二', 'A']],
      易错: [head, ['乙问', '一', '二', 'B'], ['丙问', '一', '二', 'C']],
    })
    expect(questions(checked).map(({ stem }) => stem)).toEqual(['甲问', '乙问'])
    expect(faults(checked).map(({ at, reason }) => `${at} ${reason}`)).toEqual(['易错 第3行 答案 C 不在选项中'])
  })

  test('a sheet without a column of answers is a fault by itself: the others can be imported', async () => {
    const checked = await workbook({
      没有答案: [
        ['题干', '选项A', '选项B'],
        ['甲问', '一', '二'],
      ],
      单选: [
        ['题干', '选项A', '选项B', '答案'],
        ['乙问', '一', '二', 'B'],
      ],
    })
    expect(questions(checked).map(({ stem }) => stem)).toEqual(['乙问'])
    expect(faults(checked)).toMatchObject([
      { at: '工作表“没有答案”', reason: expect.stringMatching(/没有“答案”列.*--map/) },
    ])
  })
})

describe('GIFT', () => {
  test('all types, with categories as chapters', async () => {
    const checked = await gift(`// comment
$CATEGORY: $course$/地理/首都

::一::中国的首都是{=北京#对 ~上海#不对 ~广州}

$x^\\{2\\}\\=4$ 的解 {~%50%$2$ ~%50%$-2$ ~%-100%$4$}

地球是圆的。{T}

长城在{=中国 =China =%50%亚洲}

1+1 {#2}

论持久战{}

配对{=中国->北京 =日本->东京 =法国->巴黎}
`)
    expect(faults(checked)).toEqual([])
    expect(questions(checked).map(({ type }) => type)).toEqual([
      'single',
      'multiple',
      'judge',
      'blank',
      'blank',
      'essay',
      'composite',
    ])
    const [capital, roots, earth, wall, sum, , pairs] = questions(checked)
    expect(capital).toMatchObject({ key: ['A'], analysis: '', options: [{ why: '对' }, { why: '不对' }, {}] })
    expect(roots).toMatchObject({ key: ['A', 'B'], stem: expect.stringContaining('<math>') })
    expect(earth).toMatchObject({ key: ['A'] })
    expect(wall).toMatchObject({ blanks: [['中国', 'China']] })
    expect(sum).toMatchObject({ blanks: [['2']] })
    expect(pairs).toMatchObject({ parts: [{ key: ['A'] }, { key: ['B'] }, { key: ['C'] }] })
    expect(checked.bank?.chapters.map(({ title }) => title)).toEqual(['地理', '首都'])
  })

  test('feedback: of an option it is its reason, of a blank the analysis; of a judgement the wrong answer’s comes first', async () => {
    const checked = await gift(`一{=甲#总说 ~乙#[html]<b>不</b>行####总说}

二{T#选错时#选对时}

三{F#选错时}

四{=甲#古称 =乙#今称####说明}

五{#=2#偶数 =3#质数}
`)
    expect(checked.findings.map(({ reason }) => reason)).toEqual([])
    const [choice, yes, no, short, numeric] = questions(checked)
    expect(choice).toMatchObject({ analysis: '总说', options: [{ html: '甲' }, { why: '<b>不</b>行' }] })
    expect(JSON.stringify(choice).match(/总说/g)).toHaveLength(1)
    expect(yes).toMatchObject({ analysis: '', options: [{ why: '选对时' }, { why: '选错时' }] })
    expect(no).toMatchObject({ key: ['B'], options: [{ why: '选错时' }, {}] })
    expect(short).toMatchObject({ analysis: '<p>说明</p><p>古称</p><p>今称</p>' })
    expect(numeric).toMatchObject({ analysis: '<p>偶数</p><p>质数</p>' })
  })

  test('a range of numbers is refused, because a 填空题 would mark most of it wrong', async () => {
    const checked = await gift(
      'π 约为 {#3.14:0.005}\n\n沸点 {#90..110}\n\n几个？{#1..5}\n\n整数 {#7}\n\n准数 {#2:0}\n\n一点 {#4..4}\n\n只得一半 {#=5 =%50%5:1}\n',
    )
    expect(questions(checked)).toMatchObject(['7', '2', '4', '5'].map((text) => ({ blanks: [[text]] })))
    expect(
      checked.findings.filter(({ level }) => level === 'fault').map(({ at, reason }) => `${at} ${reason.slice(0, 22)}`),
    ).toEqual([
      '第1行 答案是一个范围（3.14±0.005），填空',
      '第3行 答案是一个范围（90 到 110），填空题只',
      '第5行 答案是一个范围（1 到 5），填空题只认写出',
    ])
  })

  test('a comment before a question gives it tags, and a number unless that only counts within the file', async () => {
    const checked = await gift('// [id:T_9] [tag:军史] [tag:军史] [tag:南昌]\n甲{T}\n\n// [id:1]\n乙{F}\n')
    const [tagged, counted] = questions(checked)
    expect([tagged?.no, tagged?.points.map(({ name }) => name)]).toEqual(['T_9', ['军史', '南昌']])
    expect(counted?.no).toMatch(/^q[0-9a-f]{16}$/)
  })

  test('an answer worth a part of the marks is not a right answer beside a full one', async () => {
    const checked = await gift('Q{~wrong ~%50%half =full}\n')
    expect(told(questions(checked)[0])).toMatchObject({ type: 'single', key: ['C'] })
    expect(warnings(checked)).toContain('只得部分分数的答案不算正确，其权重没有保留')
  })

  test('a faulty question names its own line, and the others come in', async () => {
    const checked = await gift('甲{T}\n\n乙{=\n\n丙{F}\n')
    expect(questions(checked)).toHaveLength(2)
    expect(faults(checked)).toMatchObject([{ at: '第3行', reason: expect.stringContaining('不是有效的 GIFT 题目') }])
    expect(checked.total).toBe(3)
  })

  test('questions without a line between them are a fault that says where, and what to do', async () => {
    const checked = await gift('甲{T}\n\n::乙:: 乙{F}\n::丙:: 丙{F}\n')
    expect(faults(checked)).toMatchObject([
      {
        at: '第3行',
        reason: expect.stringMatching(/^不是有效的 GIFT 题目：从第4行第1个字起读不下去。题与题之间要空一行/),
      },
    ])
  })
})

describe('faults name file, place and reason', () => {
  test.each([
    ['no answer', { ...single, answer: '' }, '缺少答案'],
    ['no answer at all', { ...single, answer: undefined }, '缺少答案'],
    ['a letter beyond the options', { ...single, answer: 'D' }, '答案 D 不在选项中'],
    ['letters partly beyond the options', { ...single, type: 'multiple', answer: 'ABCDE' }, '答案 DE 不在选项中'],
    ['an answer that is no letter', { ...single, answer: '第二个' }, '答案“第二个”不是选项字母'],
    ['a letter twice', { ...single, type: 'multiple', answer: 'ABB' }, '答案“ABB”不是选项字母'],
    ['several answers of a single choice', { ...single, answer: 'AB' }, '单选题有多个答案'],
    ['one option', { ...single, options: ['一'] }, '选择题至少需要两个选项'],
    ['lost options and a letter', { ...single, options: [] }, '选择题至少需要两个选项'],
    ['an empty option', { ...single, options: ['一', '', '三'] }, '有空的选项'],
    ['equal options', { ...single, options: ['一', '二', ' 一'] }, '有内容相同的选项'],
    ['27 options', { ...single, options: Array.from({ length: 27 }, (_, i) => `第${i}个`) }, '选项超过26个'],
    ['an empty stem', { ...single, stem: ' <p></p> ' }, '题干为空'],
    ['an unknown type', { ...single, type: '连线题' }, '题型“连线题”无法识别'],
    ['a type that every object has', { ...single, type: 'constructor' }, '题型“constructor”无法识别'],
    ['a judge question without right or wrong', { type: 'judge', stem: '甲', answer: '也许' }, '应为对或错'],
    ['a blank without an answer', { type: 'blank', stem: '____', blanks: [['甲'], [' ']] }, '填空题缺少答案'],
    ['an unknown point', { ...single, points: ['化学'] }, '知识点“化学”不存在'],
    ['an unknown chapter', { ...single, chapter: 'J_c9' }, '章节“J_c9”不存在'],
    ['a difficulty of 6', { ...single, difficulty: 6 }, '难度应为1到5'],
    ['a third of a mark', { type: 'essay', stem: '甲', scoring: [{ text: '乙', score: 1.005 }] }, '最多两位小数'],
    ['a composite without parts', { type: 'composite', stem: '材料' }, '材料题需要小题'],
    [
      'a faulty part',
      { type: 'composite', stem: '材料', parts: [single, { ...single, answer: 'Z' }] },
      '答案 Z 不在选项中',
    ],
    ['no type', { stem: '甲' }, '缺少 type'],
    ['a number that is none', { ...single, no: '甲-1' }, '编号不正确'],
    ['a question that is none', 5, '应为 Object，实为 5'],
  ])('%s', async (_, question, reason) => {
    const bank = own([])
    const file = saved(
      'json',
      JSON.stringify({
        ...bank,
        questions: [
          { chapter: 'J_c1', ...single },
          typeof question === 'object' ? { chapter: 'J_c1', ...question } : question,
        ],
      }),
    )
    const checked = await checkFile(file, null)
    expect(faults(checked)).toMatchObject([{ file, at: 'questions[1]', reason: expect.stringContaining(reason) }])
    expect(checked.total).toBe(2)
    expect(questions(checked)).toHaveLength(1)
  })

  test('a question with two faults counts as one question', async () => {
    const checked = await json([{ type: 'single', options: 5 }])
    expect(faults(checked).length).toBeGreaterThan(1)
    expect(checked.total).toBe(1)
  })

  test('a row of a table is named by its line, and its chapter by the title', async () => {
    const checked = await csv('题干,章节,A,B,答案\n甲,一/上,1,2,A\n乙,一,1,2,A\n丙,一/上,1,2,C\n')
    expect(faults(checked).map(({ at, reason }) => `${at} ${reason}`)).toEqual([
      '第3行 章节“一”不存在或不是最末级',
      '第4行 答案 C 不在选项中',
    ])
  })

  test('a number that nobody wrote is not named where the same question stands twice', async () => {
    const no = 'q0123456789abcdef'
    const checked = await json([
      { ...single, no },
      { ...single, no },
      { ...single, no, stem: '另一题' },
    ])
    expect(faults(checked).map(({ reason }) => reason)).toEqual([
      '与questions[0]重复，是同一道题：请删去其中一道；加 --skip-faulty 则只导入前一道',
      `编号 ${no} 与questions[0]重复：请改编号或删去其中一道；加 --skip-faulty 则只导入前一道`,
    ])
  })

  test('a number used twice in a file', async () => {
    const checked = await json([
      { ...single, no: 'J_1' },
      { ...single, no: 'J_1', stem: '另一题' },
    ])
    expect(faults(checked)).toMatchObject([
      {
        at: 'questions[1]',
        reason: '编号 J_1 与questions[0]重复：请改编号或删去其中一道；加 --skip-faulty 则只导入前一道',
      },
    ])
  })

  test.each([
    ['a file that is not there', 'nowhere.json', '文件不存在或无法读取'],
    ['a table that is not there', 'nowhere.csv', '文件不存在或无法读取'],
    ['another ending', 'bank.pptx', '不支持 .pptx 文件'],
    ['a table without a library', 'bank.csv', '需要 --library'],
  ])('%s', async (_, name, reason) => {
    const checked = await checkFile(path.join(folder, name), name === 'bank.csv' ? null : library)
    expect(checked.findings).toMatchObject([{ at: '文件', level: 'fault', reason: expect.stringContaining(reason) }])
  })
})

describe('text', () => {
  test.each([
    ['entities escaped twice', '&amp;ldquo;甲&amp;rdquo;&amp;#65292;乙', '“甲”，乙'],
    ['a sign before a letter', '若x<y且y>z', '若x&lt;y且y&gt;z'],
    ['a sign before a letter without a space', 'a<b', 'a&lt;b'],
    ['signs around the letters of a tag', '若a<b且c>d，p<i或s>u', '若a&lt;b且c&gt;d，p&lt;i或s&gt;u'],
    ['signs around words', 'if a<b and c>d', 'if a&lt;b and c&gt;d'],
    ['a real tag of one letter', '<b>甲</b><p class="x">乙</p>', '<b>甲</b><p>乙</p>'],
    ['script', '甲<script>alert(1)</script>乙', '甲乙'],
    ['a style', '甲<style>p{}</style>乙', '甲乙'],
    ['an event', '<b onclick="alert(1)">甲</b>', '<b>甲</b>'],
    ['a link', '<a href="javascript:alert(1)">甲</a>', '甲'],
    ['a frame', '甲<iframe src="https://example.com"></iframe>', '甲'],
    [
      'a script written as entities stays text',
      '&lt;script&gt;alert(1)&lt;/script&gt;',
      '&lt;script&gt;alert(1)&lt;/script&gt;',
    ],
    ['a script escaped twice stays text', '&amp;lt;script&amp;gt;', '&lt;script&gt;'],
    ['a picture that fails', '<img src="x" onerror="alert(1)">', ''],
    ['a picture of a script', '<img src="javascript:alert(1)">', ''],
    ['a picture in the text', '<img src="data:image/png;base64,AAAA">', ''],
    ['a vector with script', '<svg><script>alert(1)</script></svg>甲', '甲'],
    ['lines', '甲\r\n\r\n乙', '<p>甲</p><p>乙</p>'],
    ['money', 'It costs $8 to $10.', 'It costs $8 to $10.'],
    ['radicals', '⼤⾮', '大非'],
  ])('%s', (_, source, html) => {
    expect(richText(source).html).toBe(html)
  })

  test.each([
    ['between single dollars', '设$a<b$，则', false],
    ['between double dollars in a sentence', '设$$a<b$$，则', false],
    ['between double dollars on its own line', '设\n$$a<b$$\n则', true],
    ['between brackets', '设\\(a<b\\)，则', false],
  ])('a formula %s keeps its sign', (_, source, display) => {
    const { html, warnings } = richText(source)
    expect(warnings).toEqual([])
    expect(html).toContain('<math')
    expect(html.includes('display="block"')).toBe(display)
    expect(plainText(html).replaceAll(' ', '')).toBe('设a<b，则'.replace('，', display ? '' : '，'))
    expect(html).toContain('&lt;')
  })

  test('a formula that cannot be understood is shown as it was written, and said', () => {
    const { html, warnings } = richText('求$\\nosuch{a<b}$')
    expect(html).toBe('求<code>\\nosuch{a&lt;b}</code>')
    expect(warnings).toEqual([expect.stringContaining('公式无法识别')])
  })

  test('a formula in an attribute cannot end the attribute', () => {
    const forged = '<img src="https://example.com/a.png" alt="&#xE000;0&#xE001;">$\\nosuch" onerror=alert(1) x="$'
    expect(richText(forged).html).toBe(
      '<img src="https://example.com/a.png" alt="" /><code>\\nosuch" onerror=alert(1) x="</code>',
    )
    expect(richText('<img src="https://example.com/a.png" alt="当$x$时">').html).not.toContain('<img')
  })

  test('dollars that do not pair are left, and said', () => {
    expect(richText('甲$乙')).toMatchObject({ html: '甲$乙', warnings: ['公式定界符 $ 不成对，按原文显示'] })
  })

  test('a LaTeX table becomes a table', () => {
    const { html } = richText('\\begin{tabular}{|c|c|}\\hline 甲 & $x$ \\\\ \\hline 乙 & 2 \\\\ \\end{tabular}')
    expect(html).toMatch(/^<table><tbody><tr><td>甲<\/td><td><math>.*<\/td><\/tr><tr><td>乙<\/td><td>2<\/td><\/tr>/)
  })
})

describe('pictures', () => {
  writeFileSync(path.join(folder, 'dot.png'), 'png bytes')

  test('beside the file are taken in by the hash of their bytes; a token and a tag are the same', async () => {
    const checked = await json([{ ...single, stem: '见[img:dot.png,20,10]与<img src="./dot.png">' }])
    expect(warnings(checked)).toEqual([])
    const [name] = checked.pictures.keys()
    expect(name).toMatch(/^[0-9a-f]{32}\.png$/)
    expect(questions(checked)[0]?.stem).toBe(
      `见<img src="/media/${name}" width="20" height="10" alt="" />与<img src="/media/${name}" />`,
    )
    expect(checked.pictures.size).toBe(1)
  })

  test('are found by a name that is written as an address', async () => {
    writeFileSync(path.join(folder, '图 1.png'), 'png bytes')
    const checked = await json([{ ...single, stem: '见<img src="%E5%9B%BE%201.png">' }])
    expect(warnings(checked)).toEqual([])
    expect([...checked.pictures.values()].map(String)).toEqual(['png bytes'])
  })

  test.each([
    'nowhere.png',
    '../../etc/passwd',
    '..%2F..%2Fetc%2Fpasswd.png',
    '/etc/passwd',
    'bank1.json',
    'http://example.com/a.png',
    '//example.com/a.png',
  ])('%s is refused, the question comes in without it, and it is said', async (source) => {
    const checked = await json([{ ...single, stem: `见<img src="${source}">` }])
    expect(questions(checked)[0]?.stem).toBe('见')
    expect(warnings(checked)).toContain(`图片不可用：${source}`)
  })
})

describe('recordings', () => {
  writeFileSync(path.join(folder, 'talk.mp3'), 'ID3 bytes')
  writeFileSync(path.join(folder, 'bare.mp3'), Buffer.from([0xff, 0xf3, 0x40]))
  writeFileSync(path.join(folder, 'no.mp3'), '<html>')

  test('beside the file are taken in by the hash of their bytes; of the tag nothing but the address is left', async () => {
    const tag = '<audio src="talk.mp3" controls autoplay onplay="alert(1)">请更新浏览器<img src=x></audio>'
    const checked = await json([{ ...single, stem: `${tag}\nWho?` }])
    expect(warnings(checked)).toEqual([])
    const [name] = checked.pictures.keys()
    expect(name).toMatch(/^[0-9a-f]{32}\.mp3$/)
    expect(questions(checked)[0]?.stem).toBe(`<p><audio src="/media/${name}"></audio></p><p>Who?</p>`)
  })

  test('are known by their first bytes, and found where a page names them inside the tag', async () => {
    const checked = await json([
      { ...single, stem: '<audio controls><source src="bare.mp3" type="audio/mpeg"></audio>Who?' },
    ])
    expect(warnings(checked)).toEqual([])
    expect(questions(checked)[0]?.stem).toMatch(/^<audio src="\/media\/[0-9a-f]{32}\.mp3"><\/audio>Who\?$/)
  })

  test('that nobody closed take nothing of the question with them', async () => {
    const checked = await json([{ ...single, stem: '<audio src=talk.mp3>Who?<audio src=bare.mp3>Where?' }])
    expect(questions(checked)[0]?.stem).toMatch(
      /^<audio src="\/media\/\w+\.mp3"><\/audio>Who\?<audio src="\/media\/\w+\.mp3"><\/audio>Where\?$/,
    )
  })

  test.each(['nowhere.mp3', '../talk.mp3', 'no.mp3', 'dot.png', 'talk.wav', 'https://example.com/a.mp3'])(
    '%s is refused, the question comes in without it, and it is said',
    async (source) => {
      const checked = await json([{ ...single, stem: `听<audio src="${source}"></audio>` }])
      expect(questions(checked)[0]?.stem).toBe('听')
      expect(warnings(checked)).toContain(`录音不可用，请换成放在题库文件旁边的 mp3：${source}`)
    },
  )

  test('are no pictures: a picture tag shows none', async () => {
    const checked = await json([{ ...single, stem: '见<img src="talk.mp3">' }])
    expect(questions(checked)[0]?.stem).toBe('见')
  })
})

describe('in the database', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  const count = async (libraryNo: string): Promise<number> =>
    (
      await sql<{ n: number }>`select count(*)::int as n from question q join chapter c on c.no = q.chapter_no
        where c.library_no = ${libraryNo} and not q.retired`.execute(server.db)
    ).rows[0]?.n ?? 0
  const write = (...checked: Checked[]) =>
    writeChecked(server.db, checked, server.mediaDir, false, { at: Date.now(), by: 'operator' })
  /** Every question of a library as students read it, block by block. */
  async function readAll(no: string): Promise<{ total: number; questions: Question[] }> {
    const outline = await server.call(contract.question.chapter, { no })
    const read: Question[] = []
    for (const ref of outline.blocks) {
      const block = await server.call(contract.question.block, { no: ref.no, at: ref.at })
      expect({ rev: block.rev, count: block.questions.length }).toEqual({ rev: ref.rev, count: ref.count })
      read.push(...block.questions)
    }
    return { total: outline.total, questions: read }
  }

  test('importing the same file again adds and changes nothing', async () => {
    const file = saved('csv', TABLE)
    expect(await write(await checkFile(file, library))).toEqual([{ added: 3, changed: 0, retired: 0 }])
    const before = await readAll('T')
    expect(await write(await checkFile(file, library))).toEqual([{ added: 0, changed: 0, retired: 0 }])
    expect(await readAll('T')).toEqual(before)
    expect(await count('T')).toBe(3)
  })

  test('the same rows in another encoding are the same questions', async () => {
    const again = await csv(iconv.encode(TABLE, 'gb18030'))
    expect(await write(again)).toEqual([{ added: 0, changed: 0, retired: 0 }])
  })

  test('a corrected answer changes its question in place, and only its block', async () => {
    const bank = bankJson({ prefix: 'FIX', chapters: 2, perChapter: 30 })
    await importBank(server.db, server.mediaDir, bank)
    const before = await server.call(contract.question.chapter, { no: 'FIX' })
    bank.questions[30] = { ...bank.questions[0], ...bank.questions[30], answer: 'C' } as (typeof bank.questions)[number]
    expect(await write(await checkFile(saved('json', JSON.stringify(bank)), null))).toEqual([
      { added: 0, changed: 1, retired: 0 },
    ])
    const after = await server.call(contract.question.chapter, { no: 'FIX' })
    const changed = after.blocks.filter(({ rev }, i) => rev !== before.blocks[i]?.rev)
    expect(changed).toMatchObject([{ no: 'FIX_c2', at: 0 }])
  })

  test('a question that moves leaves its former chapter, and chapters without a change keep their blocks', async () => {
    const bank = bankJson({ prefix: 'MOVE', chapters: 3, perChapter: 26 })
    const importNow = async (questions: typeof bank.questions) =>
      write(await checkFile(saved('json', JSON.stringify({ ...bank, questions })), null))
    // A row that is written again gets another xmin, even with the same content.
    const blocks = async () =>
      (
        await sql<{ chapter_no: string; count: number; xmin: string }>`
          select chapter_no, count, xmin::text from block where chapter_no like 'MOVE%' order by chapter_no, at`.execute(
          server.db,
        )
      ).rows
    await importNow(bank.questions)
    const before = await blocks()
    expect(before.map((block) => block.count)).toEqual([25, 1, 25, 1, 25, 1])
    await importNow(bank.questions)
    expect(await blocks()).toEqual(before)
    const [moving, ...others] = bank.questions
    expect(await importNow(moving ? [{ ...moving, chapter: 'MOVE_c2' }, ...others] : [])).toMatchObject([
      { changed: 1 },
    ])
    const after = await blocks()
    expect(after.map((block) => block.count)).toEqual([25, 25, 2, 25, 1])
    expect(after.filter((block) => block.chapter_no === 'MOVE_c3')).toEqual(
      before.filter((block) => block.chapter_no === 'MOVE_c3'),
    )
    expect((await readAll('MOVE')).questions).toHaveLength(78)
  })

  test('one file that cannot be written keeps out the others as well', async () => {
    await importBank(server.db, server.mediaDir, bankJson({ prefix: 'OWNER', chapters: 1, perChapter: 2 }))
    const good = await checkFile(
      saved('json', JSON.stringify(bankJson({ prefix: 'GOOD', chapters: 1, perChapter: 2 }))),
      null,
    )
    const thief = {
      ...bankJson({ prefix: 'OWNER', chapters: 1, perChapter: 2 }),
      library: { no: 'THIEF', title: '别的题库' },
    }
    const bad = await checkFile(saved('json', JSON.stringify(thief)), null)
    await expect(write(good, bad)).rejects.toThrow(FileFault)
    await expect(write(good, bad)).rejects.toThrow('编号已被其他题库使用')
    expect(await count('GOOD')).toBe(0)
    expect(await count('OWNER')).toBe(2)
  })

  test('a composite never takes the number of another library, nor another subject its points', async () => {
    const composite = own([{ no: 'X', type: 'composite', stem: '材料', parts: [{ ...single, no: 'X_a' }] }])
    await write(await checkFile(saved('json', JSON.stringify(composite)), null))
    const other = { library: { no: 'K', title: '另一题库' }, chapters: [{ no: 'K_c1', parent: null, title: '一' }] }
    const plain = await json([{ ...single, no: 'X', chapter: 'K_c1' }], { ...other, points: [] })
    await expect(write(plain)).rejects.toThrow('编号已被其他题库使用：X')
    const points = await json([{ ...single, chapter: 'K_c1' }], { ...other, subject: { no: 'maths', name: '数学' } })
    await expect(write(points)).rejects.toThrow('编号已被其他题库使用：p1')
    expect((await readAll('J')).questions).toMatchObject([{ no: 'X', type: 'composite' }])
  })

  test('a part that a composite has lost is not counted any more', async () => {
    const over = {
      library: { no: 'M', title: '材料' },
      chapters: [{ no: 'M_c1', parent: null, title: '一' }],
      points: [],
    }
    const parts = [1, 2, 3].map((i) => ({ ...single, stem: `第${i}小题`, no: `M_1_${i}` }))
    const bank = (kept: number) =>
      json([{ no: 'M_1', chapter: 'M_c1', type: 'composite', stem: '材料', parts: parts.slice(0, kept) }], over)
    await write(await bank(3))
    expect((await readAll('M')).total).toBe(3)
    await write(await bank(2))
    expect((await readAll('M')).total).toBe(2)
  })

  test('with replace, what the file no longer holds leaves the blocks; it comes back when the file has it again', async () => {
    const bank = bankJson({ prefix: 'R', chapters: 2, perChapter: 3 })
    await importBank(server.db, server.mediaDir, bank)
    await importBank(server.db, server.mediaDir, {
      ...bank,
      chapters: bank.chapters.slice(0, 1),
      questions: bank.questions.slice(0, 2),
    })
    expect((await readAll('R')).questions.map(({ no }) => no)).toEqual(['R_q1', 'R_q2'])
    await importBank(server.db, server.mediaDir, bank)
    expect((await readAll('R')).questions).toHaveLength(6)
  })

  test('pictures are kept by their hash and served', async () => {
    writeFileSync(path.join(folder, 'dot.gif'), 'gif bytes')
    const checked = await json([{ ...single, no: 'PIC_1', stem: '见<img src="dot.png"><img src="dot.gif">' }])
    await write(checked)
    const served = await Promise.all(
      readdirSync(server.mediaDir)
        .toSorted((one, other) => path.extname(one).localeCompare(path.extname(other)))
        .map((name) => server.app.inject({ url: `/media/${name}` })),
    )
    expect(served.map(({ statusCode, headers, body }) => [statusCode, headers['content-type'], body])).toEqual([
      [200, 'image/gif', 'gif bytes'],
      [200, 'image/png', 'png bytes'],
    ])
  })

  test(
    'a library of 10,000 questions comes in, is read in whole blocks, and comes in again without doubles',
    { timeout: 180_000 },
    async () => {
      const bank = bankJson({ prefix: 'BIG', chapters: 40, perChapter: 250 })
      await importBank(server.db, server.mediaDir, bank)
      const { total, questions: read } = await readAll('BIG')
      expect(total).toBe(10_000)
      expect(read.map(({ no }) => no)).toEqual(bank.questions.map(({ no }) => no))
      const outline = await server.call(contract.question.chapter, { no: 'BIG_c7' })
      expect(outline.blocks.map(({ count }) => count)).toEqual(
        Array.from({ length: 250 / BLOCK_SIZE }, () => BLOCK_SIZE),
      )
      expect(await write(await checkFile(saved('json', JSON.stringify(bank)), null))).toEqual([
        { added: 0, changed: 0, retired: 0 },
      ])
      expect(await count('BIG')).toBe(10_000)
    },
  )
})

describe("the operator's command", () => {
  const command = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['server/bin/content.ts', ...args], {
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }

  test('check lists every fault and ends with 1; a good file ends with 0', () => {
    const bad = saved('json', JSON.stringify(own([single, { ...single, answer: 'D' }])))
    const { status, stdout } = command('check', bad)
    expect(status).toBe(1)
    expect(stdout).toContain('共 2 题，可导入 1，错误 1')
    expect(stdout).toContain('错误 questions[1]：答案 D 不在选项中')
    expect(command('check', saved('json', JSON.stringify(own([single])))).status).toBe(0)
  })

  test('check tells programs in JSON', () => {
    const file = saved('csv', TABLE)
    const args = ['check', file, '--library', 'T', '--title', '试卷', '--subject', 'politics:政治', '--json']
    const out: unknown = JSON.parse(
      execFileSync(process.execPath, ['server/bin/content.ts', ...args], { encoding: 'utf8' }),
    )
    expect(out).toMatchObject([{ file, total: 3, importable: 3, written: null }])
  })

  test('import of a file with a fault imports nothing', () => {
    const { status, stderr } = command('import', saved('json', JSON.stringify(own([{ ...single, answer: 'D' }]))))
    expect(status).toBe(1)
    expect(stderr).toContain('未导入任何题目')
  })

  test('wrong use ends with 2 and tells how', () => {
    expect(command('burn', 'x.json')).toMatchObject({ status: 2, stderr: expect.stringContaining('没有命令 burn') })
    expect(command('check', 'x.csv', '--library', 'T').status).toBe(2)
  })
})
