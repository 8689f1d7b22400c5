import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import iconv from 'iconv-lite'
import { afterAll, describe, expect, test } from 'vitest'
import type { Question } from '#src/contract/question.ts'
import type { Checked } from '#server/content/bank/checked.ts'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { agiEval, asOwnJson, gaokaoBench, maogai, type SourceRow, tal } from '#tests/support/sources.ts'

/** Banks that the project does not hold: read where they are, converted into a folder of this run. */
const DATA = path.resolve('../shared/data')
const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-banks-'))
const library = foreignLibrary('X', {
  question: '题干',
  answer: '答案',
  option_1: '选项A',
  option_2: '选项B',
  option_3: '选项C',
  option_4: '选项D',
  option_5: '选项E',
})

const report: string[] = []
afterAll(() => void process.stdout.write(`\n${report.join('\n')}\n`))

/** Reasons by kind, without what differs from row to row. */
const kindOf = (reason: string): string =>
  reason
    .replace(/与\S+?(重复|题目相同|内容相同)/, '与另一题$1')
    .replace(/“.*?”|：.*$/g, '…')
    .replace(/ [A-Z]+ /, ' X ')
function note(name: string, { total, placed, findings }: Checked, wellFormed: number, right: number): void {
  const kinds = new Map<string, number>()
  for (const { level, reason } of findings.filter(({ reason }) => reason !== '没有解析')) {
    const kind = `${level === 'fault' ? '拒' : '提'} ${kindOf(reason)}`
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  const reasons = [...kinds].map(([kind, count]) => `${kind} ×${count}`).join('，')
  report.push(`| ${name} | ${total} | ${placed.length} | ${wellFormed} | ${right} | ${reasons} |`)
}

const LETTERS = 'ABCDEFGHIJ'
const squeezed = (text: string): string => plainText(text).normalize('NFKC').replace(/\s+/g, '')
/** The answer as the source's own notation says it. */
const lettersOf = (answer: string): string => (answer.replace(/\\mathrm/g, '').match(/[A-Z]/g) ?? []).sort().join('')
const isMaths = (text: string): boolean => /[$\\&<>~]/.test(text)

/** Judged by the source alone: what the importer must take. */
function isWellFormed({ options, stem, answer }: SourceRow): boolean {
  const letters = lettersOf(answer)
  if (letters === '' || letters.length !== answer.replace(/[\s$]|\\mathrm|[{}]/g, '').length) return false
  if (!options) {
    // Options within the stem: every marker once more than a table's, and something behind each.
    const after = stem.slice([...stem.matchAll(/A\s*[.．、]/g)].at(-1)?.index ?? stem.length)
    return (
      stem.trim() !== '' &&
      letters.split('').every((letter) => letter <= 'D') &&
      /B\s*[.．、][^]*C\s*[.．、][^]*D\s*[.．、]\s*[^\s]/.test(after) &&
      !/[B-D]\s*[.．、]\s*(?=[C-D]\s*[.．、])/.test(after)
    )
  }
  const texts = options.map((option) => option.replace(/^\([A-J]\)/, '').replace(/\s+/g, ''))
  while (texts.at(-1) === '') texts.pop()
  return (
    stem.trim() !== '' &&
    texts.length >= 2 &&
    texts.every(Boolean) &&
    new Set(texts).size === texts.length &&
    letters.split('').every((letter) => LETTERS.indexOf(letter) < texts.length)
  )
}

/** Whether the row came in with its own answer and, where text can be compared as it is, its own options. */
function isRight(row: SourceRow, question: Question | undefined): boolean {
  if (!question || !('key' in question)) return false
  if (row.type === '判断') return question.type === 'judge' && question.key[0] === (row.answer === '对' ? 'A' : 'B')
  const sameKey = question.key.join('') === lettersOf(row.answer)
  if (!row.options) return sameKey && question.options.length === 4
  const texts = row.options.map((option) => option.replace(/^\([A-J]\)/, '').trim())
  while (texts.at(-1) === '') texts.pop()
  const sameOptions =
    texts.length === question.options.length &&
    texts.every((text, i) => isMaths(text) || squeezed(question.options[i]?.html ?? '') === squeezed(text))
  return sameKey && sameOptions
}

/** Imported questions by their place: places of what was refused or is a double have none, a double has its first one's. */
function places(ats: readonly string[], { findings }: Checked): Map<string, number> {
  const byPlace = new Map<string, number>()
  let next = 0
  for (const at of ats) {
    const mine = findings.filter((finding) => finding.at === at)
    const double = mine.map(({ reason }) => /^与(.+)重复，只导入一次$/.exec(reason)?.[1]).find(Boolean)
    if (double !== undefined) byPlace.set(at, byPlace.get(double) ?? -1)
    else if (mine.every(({ level }) => level !== 'fault')) byPlace.set(at, next++)
  }
  return byPlace
}

function judge(name: string, rows: readonly SourceRow[], ats: readonly string[], checked: Checked): void {
  const byPlace = places(ats, checked)
  const { placed } = checked
  expect(checked.total).toBe(rows.length)
  expect(Math.max(-1, ...byPlace.values()) + 1).toBe(placed.length)
  const good = rows
    .map((row, i) => ({ row, at: ats[i] ?? '' }))
    .filter(({ row }) => row.type === '判断' || isWellFormed(row))
  const wrong = good.filter(({ row, at }) => !isRight(row, placed[byPlace.get(at) ?? -1]?.question))
  note(name, checked, good.length, good.length - wrong.length)
  const shown = wrong.slice(0, 5).map(({ row, at }) => ({
    at,
    why: checked.findings.find((finding) => finding.at === at && finding.level === 'fault')?.reason,
    answer: row.answer,
    stem: row.stem.slice(-120),
  }))
  expect({ shown, tooMany: wrong.length / Math.max(1, good.length) > 0.02 }).toEqual({ shown, tooMany: false })
  expect(good.length / rows.length).toBeGreaterThan(0.8)
}

async function converted(name: string, rows: readonly SourceRow[]): Promise<Checked> {
  const file = path.join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(asOwnJson(rows)))
  return checkFile(file, null)
}
const inJson = (rows: readonly SourceRow[]): string[] => rows.map((_, i) => `questions[${i}]`)

const GAOKAO = 'gaokao/gaokao-bench/Objective_Questions/2010-2022_'
const MM = 'gaokao/gaokao-mm/Data/2010-2023_Biology_MCQs'
const MAOGAI = 'politics-military/maogai-xigai'
const CONVERTED: [string, string, (file: string) => SourceRow[]][] = [
  ...['Chemistry', 'Math_I', 'Physics', 'Political_Science'].map(
    (name): [string, string, (file: string) => SourceRow[]] => [
      `gaokao-bench ${name}`,
      `${GAOKAO}${name}_MCQs.json`,
      gaokaoBench,
    ],
  ),
  ['gaokao-mm Biology', `${MM}.json`, gaokaoBench],
  ...['physics', 'mathqa', 'chemistry'].map((name): [string, string, (file: string) => SourceRow[]] => [
    `agieval ${name}`,
    `gaokao/agieval/gaokao-${name}.jsonl`,
    agiEval,
  ]),
  ['tal-scq5k', 'tal-scq5k/ch_single_choice_test_2K.jsonl', tal],
  ...Array.from({ length: 9 }, (_, i): [string, string, (file: string) => SourceRow[]] => [
    `maogai ${i}`,
    `${MAOGAI}/maogao_202506_kang_outputs/${i}.json`,
    maogai,
  ]),
  ['xigai', `${MAOGAI}/xigai_202412_li.indefinite.rows-0-49.json`, maogai],
]
symlinkSync(path.join(DATA, MM), path.join(folder, path.basename(MM)))

describe('banks in JSON of their own', () => {
  test.each(CONVERTED)('%s', { timeout: 180_000 }, async (name, file, rowsOf) => {
    const rows = rowsOf(path.join(DATA, file))
    judge(name, rows, inJson(rows), await converted(name, rows))
  })

  test('the pictures of gaokao-mm come in', async () => {
    const checked = await converted('gaokao-mm pictures', gaokaoBench(path.join(DATA, `${MM}.json`)))
    expect(checked.findings.filter(({ reason }) => reason.startsWith('图片不可用'))).toEqual([])
    expect(checked.pictures.size).toBeGreaterThan(15)
  })
})

const EXPORT = path.join(DATA, 'politics-military/military-theory/export')
function military(name: string): { rows: SourceRow[]; lines: string[] } {
  const bytes = readFileSync(path.join(EXPORT, name))
  const source = iconv.decode(bytes, name.includes('gbk') ? 'gbk' : 'utf8')
  const records = parse<Record<string, string>>(source, { columns: true, bom: true, relax_column_count: true })
  const rows = records.map((record): SourceRow => {
    const options = [1, 2, 3, 4, 5].map((i) => record[`option_${i}`]?.trim() ?? '')
    const answer = record.answer?.trim() ?? ''
    const judged = ['对', '错', 'X'].includes(answer) && options.every((option) => option === '')
    return { type: judged ? '判断' : '', stem: record.question ?? '', ...(!judged && { options }), answer }
  })
  return { rows, lines: rows.map((_, i) => `第${i + 2}行`) }
}
const TABLES = ['radio_data.utf8bom.csv', 'checkbox_data.utf8bom.csv', 'tof_data.gbk.csv'] as const

describe('military theory, by a header map', () => {
  test.each(TABLES)('%s', async (name) => {
    const { rows, lines } = military(name)
    judge(name, rows, lines, await checkFile(path.join(EXPORT, name), library))
  })

  test('the workbook holds the same questions as the three tables', async () => {
    const tables = TABLES.map(military)
    const rows = tables.flatMap(({ rows }) => rows)
    const sheets = ['单选', '多选', '判断']
    const ats = tables.flatMap(({ lines }, i) => lines.map((line) => `${sheets[i]} ${line}`))
    const checked = await checkFile(path.join(EXPORT, 'military_theory.xlsx'), library)
    judge('military_theory.xlsx', rows, ats, checked)
    const apart = await Promise.all(TABLES.map((name) => checkFile(path.join(EXPORT, name), library)))
    expect(checked.placed.map(({ question }) => question.no)).toEqual(
      apart.flatMap(({ placed }) => placed.map(({ question }) => question.no)),
    )
  })
})

describe('GIFT of the parser we use, against its own reading', () => {
  const GIFT = path.join(DATA, 'formats/gift')
  const names = readdirSync(GIFT).filter((name) => name.endsWith('.gift'))
  test.each(names)('%s', async (name) => {
    const expected = JSON.parse(readFileSync(path.join(GIFT, name.replace('.gift', '.json')), 'utf8')) as {
      type: string
      isTrue?: boolean
      choices?: { isCorrect: boolean; weight: number | null }[] | object
    }[]
    const answered = expected.filter(({ type }) => type !== 'Category' && type !== 'Description')
    const checked = await checkFile(path.join(GIFT, name), library)
    const doubles = checked.findings.filter(({ reason }) => reason.endsWith('只导入一次')).length
    const refused = checked.findings.filter(({ level }) => level === 'fault').length
    expect(checked.total).toBe(answered.length)
    expect(checked.placed.length + doubles + refused).toBe(answered.length)
    const wrong = checked.placed.filter(({ question }, i) => {
      const source = answered[i]
      if (doubles + refused > 0) return false
      if (question.type === 'judge') return question.key[0] !== (source?.isTrue === true ? 'A' : 'B')
      if (question.type !== 'single' || !Array.isArray(source?.choices)) return false
      const best = source.choices.findIndex(({ isCorrect, weight }) => isCorrect || weight === 100)
      return question.key[0] !== LETTERS[best]
    })
    expect(wrong).toEqual([])
    note(name, checked, answered.length - doubles - refused, checked.placed.length)
  })

  test('no file is missing', () => expect(names).toHaveLength(23))
})
