import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Question } from '#src/contract/question.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import type { Checked } from '#server/content/bank/checked.ts'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from '#tests/support/library.ts'
import { agiEval, asOwnJson, gaokaoBench, luna, type SourceRow, written } from '#tests/support/sources.ts'

/** The rest of the banks that the project does not hold (shared.banks.ts): what is written, whole papers as text, other systems' exports. */
const DATA = path.resolve('../shared/data')
const BENCH = path.join(DATA, 'gaokao/gaokao-bench')
const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-formats-'))
const library = foreignLibrary('X')

const report: string[] = []
afterAll(() => void process.stdout.write(`\n${report.join('\n')}\n`))
function note(name: string, { total, findings }: Checked, came: number, right: number): void {
  const kinds = new Map<string, number>()
  for (const { level, reason } of findings.filter((each) => each.reason !== '没有解析')) {
    const kind = `${level === 'fault' ? '拒' : '提'} ${reason.replace(/“.*?”|：.*$/g, '…').replace(/与\S+?(重复|题目相同|内容相同)/, '与另一题$1')}`
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  const told = [...kinds].map(([kind, count]) => `${kind} ×${count}`).join('，')
  report.push(`| ${name} | ${total} | ${came} | ${right} | ${told} |`)
}

const squeezed = (text: string): string => plainText(text).normalize('NFKC').replace(/\s+/g, '')
const isMaths = (text: string): boolean => /[$\\&<>~]/.test(text)
const questionsOf = ({ placed }: Checked): Question[] => placed.map(({ question }) => question)

async function converted(name: string, rows: readonly SourceRow[]): Promise<Checked> {
  const file = path.join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(asOwnJson(rows)))
  return checkFile(file, null)
}

const SUBJECTIVE = path.join(BENCH, 'Subjective_Questions')
const WRITTEN: [string, () => SourceRow[]][] = [
  ...readdirSync(SUBJECTIVE).map((name): [string, () => SourceRow[]] => [
    name.replace(/^\d+-\d+_|\.json$/g, ''),
    () => written(path.join(SUBJECTIVE, name)),
  ]),
  ['agieval mathcloze', () => written(path.join(DATA, 'gaokao/agieval/gaokao-mathcloze.jsonl'))],
]
test.each(WRITTEN)('what is written: %s', { timeout: 60_000 }, async (name, rowsOf) => {
  const rows = rowsOf()
  const checked = await converted(name.replaceAll(/\W/g, '_'), rows)
  const questions = questionsOf(checked)
  const references = new Set(questions.flatMap((each) => ('reference' in each ? [squeezed(each.reference)] : [])))
  const right = rows.filter(({ answer }) => isMaths(answer) || references.has(squeezed(answer)))
  note(name, checked, questions.length, right.length)
  expect(checked.findings.filter(({ level }) => level === 'fault')).toEqual([])
  expect(right).toHaveLength(rows.length)
})

test('agieval english', async () => {
  const rows = agiEval(path.join(DATA, 'gaokao/agieval/gaokao-english.jsonl'))
  const checked = await converted('agieval_english', rows)
  const keys = new Map(
    questionsOf(checked).map((each) => [squeezed(each.stem), 'key' in each ? each.key.join('') : '']),
  )
  const right = rows.filter(({ stem, answer }) => keys.get(squeezed(stem)) === answer)
  note('agieval english', checked, keys.size, right.length)
  expect(right.length).toBeGreaterThan(rows.length * 0.97)
})

test('edunlp LUNA', async () => {
  const rows = luna(path.join(DATA, 'gaokao/edunlp/standard_luna_data.json'))
  const checked = await converted('luna', rows)
  note('edunlp luna', checked, questionsOf(checked).length, questionsOf(checked).length)
  expect(checked.placed.length + checked.findings.filter(({ level }) => level === 'fault').length).toBe(rows.length)
})

/** What a record says of the numbers in the paper that it was taken from: here each has another number. */
const SPAN = /.{0,12}\d+\s*[～~—-]+\s*\d+\s*题.{0,4}/g
/** As the questions would stand in a paper that was copied out of Word: numbered, each with its answer below. */
const asPaper = (rows: readonly SourceRow[]): string =>
  rows
    .map(({ stem, answer, analysis }, i) => {
      const asked = stem
        .replace(/^\s*(?:\[img:[^\]]*\]\s*)?\d{1,2}\s*[.．、]\s*/, '')
        .replace(SPAN, '')
        .trim()
      const why = (analysis ?? '').replaceAll(/^\s*\d{1,2}\s*[.．、]/gm, '（$&）').trim()
      return `${i + 1}．${asked}\n答案：${answer}${why && `\n解析：${why}`}`
    })
    .join('\n')

const CHOICES = ['Chemistry', 'Math_I', 'Physics', 'Political_Science']
describe('papers as text', () => {
  test.each(CHOICES)('gaokao-bench %s', { timeout: 60_000 }, async (name) => {
    const all = gaokaoBench(path.join(BENCH, `Objective_Questions/2010-2022_${name}_MCQs.json`))
    // One record holds the head of its paper: by itself a question of its own.
    const rows = all.filter(({ stem }) => !stem.includes('答卷前'))
    const file = path.join(folder, `${name}.txt`)
    writeFileSync(file, asPaper(rows))
    const checked = await checkFile(file, library)
    const keys = questionsOf(checked).map((each) => ('key' in each ? each.key.join('') : ''))
    note(`${name}（试卷文字）`, checked, keys.length, keys.length)
    expect(keys.filter((key) => key === '')).toEqual([])
    expect(checked.total).toBe(rows.length)
    expect(keys.length).toBeGreaterThan(rows.length * 0.95)
    // In the paper's order, but for what is refused.
    let at = -1
    const places = keys.map((key) => (at = rows.findIndex(({ answer }, i) => i > at && answer === key)))
    expect(places).not.toContain(-1)
  })

  test('gaokao-bench English reading: a text and its questions are one 材料题', { timeout: 60_000 }, async () => {
    const file = path.join(BENCH, 'Objective_Questions/2010-2022_English_Reading_Comp.json')
    const rows = gaokaoBenchTexts(file)
    let came = 0
    let right = 0
    let total = 0
    const findings: Checked['findings'] = []
    for (const [i, { text, answers, from }] of rows.entries()) {
      const range = `${from}-${from + answers.length - 1}`
      const at = path.join(folder, `reading${i}.txt`)
      writeFileSync(
        at,
        `一、阅读理解\n阅读下面的短文，回答${range}题。\n${text}\n参考答案\n${range} ${answers.join('')}\n`,
      )
      const checked = await checkFile(at, library)
      const parts = questionsOf(checked).flatMap(partsOf)
      total += answers.length
      came += parts.length
      right += parts.filter((part, n) => 'key' in part && part.key.join('') === answers[n]).length
      findings.push(...checked.findings)
    }
    report.push(`| English_Reading_Comp（试卷文字） | ${total} | ${came} | ${right} | ${findings.length} |`)
    expect(right).toBeGreaterThan(total * 0.8)
  })

  test('military theory, its text', async () => {
    const checked = await checkFile(
      path.join(DATA, 'politics-military/military-theory/export/checkbox_data.txt'),
      library,
    )
    note('checkbox_data.txt', checked, checked.placed.length, checked.placed.length)
    expect(checked.placed.length).toBeGreaterThan(checked.total * 0.95)
  })
})

/** Texts of several questions, with the number of the first and an answer for each. */
function gaokaoBenchTexts(file: string): { text: string; answers: string[]; from: number }[] {
  const { example } = JSON.parse(readFileSync(file, 'utf8')) as { example: { question: string; answer: string[] }[] }
  return example.flatMap(({ question, answer }) => {
    const numbers = [...question.matchAll(/^\s*(\d{2})\s*[.．]/gm)].map((match) => Number(match[1]))
    const from = numbers.find((n) => numbers.includes(n + answer.length - 1) || answer.length === 1)
    return from === undefined ? [] : [{ text: question, answers: answer, from }]
  })
}

const OTHERS = ['formats/moodle-xml', 'formats/qti'].flatMap((where) =>
  readdirSync(path.join(DATA, where), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(xml|zip)$/.test(name))
    .sort()
    .map((name) => path.join(where, name)),
)
test.each(OTHERS)('%s: every question comes in or is refused by name', { timeout: 60_000 }, async (name) => {
  const checked = await checkFile(path.join(DATA, name), library)
  note(path.basename(name), checked, checked.placed.length, checked.placed.length)
  const faults = new Set(checked.findings.filter(({ level }) => level === 'fault').map(({ at }) => at))
  const doubles = checked.findings.filter(({ reason }) => reason.endsWith('只导入一次')).length
  const whole = checked.findings.some(({ at, level }) => level === 'fault' && at === '文件')
  const told = whole ? checked.total : faults.size + doubles
  expect(checked.placed.length + told).toBe(checked.total)
})

test.each([
  'formats/anki/output.apkg',
  'formats/h5p/h5p-test.content-only.h5p',
  'politics-military/military-theory/data.db',
])('%s is no file of ours, and that is said', async (name) => {
  const { findings } = await checkFile(path.join(DATA, name), library)
  expect(findings.map(({ reason }) => reason).join()).toMatch(/^不支持 \.\w+ 文件，请使用/)
})
