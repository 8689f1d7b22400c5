import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Question } from '#src/contract/question.ts'
import { givePublished } from '#server/bin/publishCommands.ts'
import { readPlaced } from '#server/content/bank/exportStore.ts'
import { checkFile, writeChecked } from '#server/content/bank/import.ts'
import type { LibraryOptions } from '#server/content/formats/readers.ts'
import { writeTemplate } from '#server/content/formats/template.ts'
import { importDemo } from '#server/demo/demo.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importDemo(server.db, { mediaDir: server.mediaDir, say: () => {} })
})
afterAll(() => server.close())

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-export-'))
async function exported(no: string, ending: string) {
  const file = path.join(folder, `${no}.${ending}`)
  const told = await givePublished(server.db, no, file, server.mediaDir)
  return { file, told: told.lines.join('\n') }
}
async function imported(file: string, replace: boolean, options: LibraryOptions | null = null) {
  const checked = await checkFile(file, options)
  const [written] = await writeChecked(server.db, [checked], server.mediaDir, replace, {
    at: Date.now(),
    by: 'operator',
  })
  return { checked, written }
}

const LIBRARIES = readdirSync('server/demo/content').flatMap((name) =>
  name.endsWith('.json') ? [(JSON.parse(readFileSync(`server/demo/content/${name}`, 'utf8')) as Bank).library.no] : [],
)

describe('a library exported', () => {
  test.each(LIBRARIES)('%s as JSON: imported again it changes nothing', async (no) => {
    const { file, told } = await exported(no, 'json')
    const { checked, written } = await imported(file, true)
    expect(checked.findings).toEqual([])
    expect(written).toEqual({ added: 0, changed: 0, retired: 0 })
    expect(told).toContain(`：${checked.total} 题`)
  })
})
test('recordings of an exported library lie beside it, like its pictures', async () => {
  const { file, told } = await exported('L_english_listening', 'json')
  const beside = readdirSync(path.join(folder, 'L_english_listening-图片'))
  expect(beside).toHaveLength(12)
  expect(beside.every((name) => name.endsWith('.mp3'))).toBe(true)
  expect(told).toContain('图片、录音 12 个在旁边')
  expect(readFileSync(file, 'utf8')).not.toContain('/media/')
})
interface Bank {
  library: { no: string }
}

const options = { subject: { no: 'x_out', name: '外来' }, directions: [], areas: [], chapter: '综合', headers: {} }
/** What a question asks and how it is marked, without what a format need not keep: numbers, order of keys. */
const essence = (question: Question): unknown => {
  const { stem, type } = question
  if (question.type === 'composite') return { stem, type, parts: question.parts.map(essence) }
  if (question.type === 'blank') return { stem, type, blanks: question.blanks, unordered: question.unordered }
  if (question.type === 'essay') {
    const { reference, scoring, composition } = question
    return { stem, type, reference, scoring, composition }
  }
  return { stem, type, key: question.key, options: question.options, analysis: question.analysis }
}
async function essencesIn(no: string): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const some of readPlaced(server.db, no)) all.push(...some.map(({ question }) => essence(question)))
  return all
}

describe('a library exported as a table', () => {
  test.each(LIBRARIES.flatMap((no) => ['csv', 'xlsx'].map((ending) => [no, ending] as const)))(
    '%s as %s is read as the same questions',
    async (no, ending) => {
      const { file, told } = await exported(no, ending)
      const { placed, findings } = await checkFile(file, { ...options, library: `${no}_out`, title: '外来' })
      expect(findings.filter(({ level }) => level === 'fault')).toEqual([])
      expect(placed.map(({ question }) => essence(question))).toEqual(await essencesIn(no))
      expect(told).toContain(`已写入 ${file}：${placed.length} 题`)
    },
  )
})

test('what a spreadsheet would take for a formula is no formula in a CSV, and is read as it was', async () => {
  const bank = bankJson({ prefix: 'XF', chapters: 1, perChapter: 1 })
  const [question] = bank.questions
  if (!question) throw new Error('no question')
  const four = ['=1+1', '+2', '-3', '@a']
  Object.assign(question, { stem: '=HYPERLINK("https://evil.example","点我")', options: four, analysis: "'单引号开头" })
  await importBank(server.db, server.mediaDir, bank)
  const { file } = await exported('XF', 'csv')
  const [, line = ''] = readFileSync(file, 'utf8').split('\n')
  expect(line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).filter((cell) => /^"?[=+\-@]/.test(cell))).toEqual([])
  const { placed } = await checkFile(file, { ...options, library: 'XF_out', title: '外来' })
  expect(placed.map(({ question: read }) => essence(read))).toEqual(await essencesIn('XF'))
})

describe('a library exported as GIFT', () => {
  test.each(LIBRARIES)('%s: what GIFT holds is read as the same questions, the rest is told', async (no) => {
    const { file, told } = await exported(no, 'gift')
    const { placed, findings } = await checkFile(file, { ...options, library: `${no}_gift`, title: '外来' })
    expect(findings.filter(({ level }) => level === 'fault')).toEqual([])
    const held: Question[] = []
    for await (const some of readPlaced(server.db, no))
      held.push(
        ...some.flatMap(({ question }) =>
          ['composite', 'order'].includes(question.type) || (question.type === 'blank' && question.blanks.length > 1)
            ? []
            : [question],
        ),
      )
    // GIFT knows no 不定项, and no 采分点, by whose names grades are told.
    const plain = held.map((each) => {
      if (each.type === 'indefinite') return { ...each, type: each.key.length > 1 ? 'multiple' : 'single' }
      if (each.type !== 'essay' || !each.composition) return { ...each, scoring: [] }
      const { graded: _, ...composition } = each.composition
      return { ...each, scoring: [], composition }
    })
    expect(placed.map(({ question }) => essence(question))).toEqual(plain.map((each) => essence(each as Question)))
    const known = ({ no, points }: Question) => [no, points.map(({ name }) => name)]
    expect(placed.map(({ question }) => known(question))).toEqual(held.map(known))
    expect(told).toContain('难度、来源、年份、采分点没有导出')
  })

  test('says how many questions ask for an order, which it has no place for', async () => {
    const { told } = await exported('L_military', 'gift')
    expect(told).toContain('排序题 3 道没有导出：GIFT 没有排序题')
  })
})

describe('what an export says', () => {
  test('of a file that is none of a bank, and of a library that there is not', async () => {
    await expect(exported('L_math', 'pdf')).rejects.toThrow('按扩展名写成')
    expect((await exported('L_nothing', 'json')).told).toBe('没有编号为 L_nothing 的内容')
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })
  test('formulae are written back as they came', async () => {
    const { file } = await exported('L_math', 'json')
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('$A\\\\cap B=$')
    expect(text.match(/<math/g)?.length ?? 0).toBeLessThan(5)
  })
})

test.each(['xlsx', 'csv'])('the template as %s is a bank without a fault, of every type', async (ending) => {
  const file = path.join(folder, `模板.${ending}`)
  await writeTemplate(file)
  const { placed, findings, bank } = await checkFile(file, { ...options, library: 'x_template', title: '模板' })
  expect(findings).toEqual([])
  expect(placed.map(({ question }) => question.type)).toEqual([
    'single',
    'multiple',
    'judge',
    'blank',
    'blank',
    'order',
    'essay',
    'composite',
    'essay',
  ])
  expect(bank?.chapters.map(({ title }) => title)).toEqual([
    '第一章 军史常识',
    '建军',
    '第二章 科学常识',
    '第三章 资料分析',
    '第四章 写作',
  ])
  await expect(writeTemplate(path.join(folder, '模板.txt'))).rejects.toThrow('.xlsx 或 .csv')
})
