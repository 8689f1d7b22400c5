import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import type { Draft, Finding } from '#server/content/draft.ts'
import { linesOf } from '#server/content/formats/fileText.ts'
import { readGift } from '#server/content/formats/gift.ts'
import { checkFile } from '#server/content/bank/import.ts'
import { readJson } from '#server/content/formats/jsonBank.ts'
import { readMoodle } from '#server/content/formats/moodle.ts'
import { isFull } from '#server/content/bank/spool.ts'
import { bankJson } from '#tests/support/bank.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-pieces-'))
const library = foreignLibrary('T')
function saved(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}

/** All that a reader has found. */
function collecting() {
  const found = { drafts: [] as Draft[], findings: [] as Omit<Finding, 'file'>[], pictures: [] as [string, string][] }
  const intake = {
    draft: (draft: Draft) => void found.drafts.push(draft),
    report: (level: Finding['level'], at: string, reason: string) => void found.findings.push({ level, at, reason }),
    picture: (name: string, bytes: Uint8Array) =>
      void found.pictures.push([name, Buffer.from(bytes).toString('base64')]),
  }
  return { found, intake }
}
async function* cutAt(text: string, places: readonly number[]): AsyncGenerator<string> {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
  let from = 0
  for (const end of [...ends, text.length]) {
    yield text.slice(from, end)
    from = end
  }
}

const JSON_TEXT = JSON.stringify({
  questions: [
    { no: 'a', chapter: 'c', type: 'single', stem: '“😀”是\\n什么？', options: ['甲', '乙'], answer: 'A' },
    { no: 'b', type: 'blank' },
    { no: 'd', chapter: 'c', type: 'judge', stem: 'x < 1e3', answer: true, parts: undefined },
  ],
  chapters: [{ no: 'c', parent: null, title: '一' }],
  library: { no: 'L', title: 'questions' },
  points: [],
  subject: { no: 's', name: '科' },
  format: 'lijian/1',
})
const GIFT_TEXT = `// 说明\r\n$CATEGORY: $course$/第一章\r\n\r\n::一:: 2 加 2 等于？ {=4 ~5\r\n~6}\r\n\r\n坏 {=\n\n地球是圆的。{T}\r`
const MOODLE_TEXT = `<?xml version="1.0"?>
<quiz><!-- 一 --><question type="category"><category><text>$course$/top/第一章</text></category></question>
<question type="truefalse"><questiontext format="html"><text><![CDATA[<p>图 <img src="@@PLUGINFILE@@/a.png"/> 😀</p>]]></text>
<file name="a.png" path="/" encoding="base64">iVBORw0KGgo=</file></questiontext><generalfeedback><text /></generalfeedback>
<answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer></question>
<question type="ddmarker"><questiontext><text>排&amp;序</text></questiontext></question></quiz>`

const READERS = {
  JSON: [JSON_TEXT, (pieces, intake) => readJson(pieces, intake)],
  GIFT: [GIFT_TEXT, (pieces, intake) => readGift(linesOf(pieces), intake)],
  'Moodle XML': [MOODLE_TEXT, (pieces, intake) => readMoodle(pieces, intake)],
} satisfies Record<
  string,
  [string, (pieces: AsyncIterable<string>, intake: ReturnType<typeof collecting>['intake']) => Promise<unknown>]
>

describe.each(Object.entries(READERS))('%s', (_, [text, read]) => {
  const readIn = async (places: readonly number[]) => {
    const { found, intake } = collecting()
    return { ...found, gives: await read(cutAt(text, places), intake) }
  }

  test('says the same wherever its pieces are cut', async () => {
    const whole = await readIn([])
    expect(whole.drafts.length).toBeGreaterThan(0)
    expect(whole.findings.length).toBeGreaterThan(0)
    expect(await readIn(Array.from(text, (_each, i) => i))).toEqual(whole)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: text.length }), { maxLength: 12 }), async (places) => {
        expect(await readIn(places)).toEqual(whole)
      }),
      { numRuns: 200 },
    )
  })
})

test('the parts of a JSON may stand in any order, and one that is no JSON at its end brings nothing', async () => {
  const good = await checkFile(saved('order.json', JSON_TEXT), null)
  expect(good.bank?.library.title).toBe('questions')
  expect(good.placed.map(({ question }) => question.no)).toEqual(['a', 'd'])
  const broken = await checkFile(saved('broken.json', JSON_TEXT.slice(0, -1)), null)
  expect(broken).toMatchObject({ bank: null, total: 0, importable: 0 })
  expect(broken.findings.at(-1)?.reason).toContain('不是有效的 JSON')
})

test.each([
  ['no list', '{"questions":{"0":{"stem":"甲"}}}', '缺少 questions'],
  ['none', '{"title":"questions"}', '缺少 questions'],
  ['a list', '["questions",[]]', '缺少 questions'],
  ['two values', '{"questions":[]} {}', '不是有效的 JSON'],
])('questions that are %s', async (_, text, reason) => {
  const { bank, findings } = await checkFile(saved('odd.json', text), null)
  expect(bank).toBeNull()
  expect(findings.at(-1)?.reason).toContain(reason)
})

describe('encodings', () => {
  // Longer than one piece, of characters that its ends cut through.
  const stem = `${'题'.repeat(70_000)}？`
  const table = `题干,选项A,选项B,答案\n${stem},甲,乙,A\n`
  test.each([
    ['GB18030', iconv.encode(table, 'gb18030')],
    ['UTF-8', Buffer.from(table)],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${table}`)],
    ['UTF-16', iconv.encode(table, 'utf-16le', { addBOM: true })],
    ['UTF-16, the other end first', iconv.encode(table, 'utf-16be', { addBOM: true })],
  ])('%s', async (_, bytes) => {
    const { placed, findings } = await checkFile(saved('coded.csv', bytes), library)
    expect(findings.filter(({ level }) => level === 'fault')).toEqual([])
    expect(placed[0]?.question.stem).toBe(stem)
  })
})

test('a quote that is never closed is told, with its line, and the table is not swallowed', async () => {
  const row = '一加一等于几？,一,二,B\n'
  const file = saved('quote.csv', `题干,选项A,选项B,答案\n${row}"二加二,三,四,B\n${row.repeat(60_000)}`)
  const { bank, findings } = await checkFile(file, library)
  expect(bank).toBeNull()
  expect(findings.at(-1)?.reason).toMatch(/到第\d+行为止有引号没有配对/)
})

test('a line without an end is refused', async () => {
  const { findings } = await checkFile(saved('line.gift', '题'.repeat(2_000_000)), library)
  expect(findings).toMatchObject([{ level: 'fault', reason: expect.stringContaining('有一行超过') }])
})

test.each([
  ['a quiz', '<quiz>'],
  ['an item of QTI', '<questestinterop>'],
])('tags within tags without end are refused, in %s', async (_, open) => {
  const { findings } = await checkFile(saved('deep.xml', `${open}${'<x>'.repeat(200_000)}`), library)
  expect(findings).toMatchObject([{ level: 'fault', reason: '第1行：XML 的标签套了太多层' }])
})

test.each([
  ['the file', '['],
  ['a question', '{"format":"lijian/1","questions":[{"stem":['],
])('JSON within JSON without end is refused at once, in %s', async (_, open) => {
  const { findings } = await checkFile(saved('deep.json', `${open}${'['.repeat(200_000)}`), null)
  expect(findings).toMatchObject([{ level: 'fault', reason: 'JSON 套了太多层' }])
})

test('tags beside each other may be as many as there are questions', async () => {
  const question = (n: number) =>
    `<question type="truefalse"><name><text>${n}</text></name><questiontext><text>第${n}题</text></questiontext><answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer></question>`
  const all = Array.from({ length: 300 }, (_, n) => question(n)).join('')
  const { placed } = await checkFile(saved('many.xml', `<quiz>${all}</quiz>`), library)
  expect(placed).toHaveLength(300)
})

test('of a stem with tags within tags without end the text is taken', async () => {
  const stem = `${'<div>'.repeat(100_000)}一加一等于几？`
  const { placed, findings } = await checkFile(saved('deep.csv', `题干,选项A,选项B,答案\n${stem},一,二,B\n`), library)
  expect(placed.map(({ question }) => question)).toMatchObject([{ stem: '一加一等于几？' }])
  expect(findings.map(({ reason }) => reason)).toContain('标签套了太多层，只导入其中的文字')
})

test.each(['txt', 'xlsx', 'xml', 'zip'])(
  'a large .%s, which is read whole, is refused with a way out',
  async (ending) => {
    const file = saved(`large.${ending}`, '')
    truncateSync(file, 65 * 1024 * 1024)
    const { findings } = await checkFile(file, library)
    expect(findings).toMatchObject([{ level: 'fault', reason: expect.stringContaining('请分成几个文件') }])
  },
)

test('ten times as many questions take no more memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = async (perChapter: number): Promise<number> => {
    const bank = bankJson({ prefix: `M${perChapter}`, chapters: 10, perChapter })
    // Formulae, near-doubles and findings are kept, too.
    const questions = bank.questions.map((each, i) => ({
      ...each,
      stem: `${each.stem}设 $x_{${i}}=1$。`,
      analysis: '',
    }))
    const file = saved(`m${perChapter}.json`, JSON.stringify({ ...bank, questions }))
    bank.questions.length = 0
    questions.length = 0
    collect()
    const before = process.memoryUsage().heapUsed
    const checked = await checkFile(file, null)
    for (const part of checked.spool.parts()) expect(part.length).toBeGreaterThan(0)
    collect()
    const after = process.memoryUsage().heapUsed
    expect(checked).toMatchObject({ importable: perChapter * 10, faults: 0, warnings: perChapter * 10 })
    return after - before
  }
  // Compiles what it needs.
  await held(20)
  const [few, many] = [await held(60), await held(600)]
  // A question takes more than 1 KB.
  expect(many - few).toBeLessThan(2_000_000)
})

test('a full disk is known from other faults', () => {
  const small = new DatabaseSync('')
  small.exec('pragma max_page_count = 2; create table t (a)')
  const thrown = (work: () => void): unknown => {
    try {
      work()
      return null
    } catch (error) {
      return error
    }
  }
  expect(isFull(thrown(() => small.exec('insert into t values (zeroblob(100000))')))).toBe(true)
  expect(isFull(thrown(() => small.exec('insert into none values (1)')))).toBe(false)
})
