import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { paperHtml, type PaperQuestion } from '#src/features/question/errorBook/paperHtml.ts'
import { wordFile } from '#src/features/question/errorBook/word/wordFile.ts'
import { checkFile } from '#server/content/bank/import.ts'
import { bankJson, checkBank } from '#tests/support/bank.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-word-file-'))
const HEAD = { title: '我的错题 · 未掌握', note: '2026-11-29 · 共 3 题', answers: true }
const PICTURE = `/media/${'a'.repeat(32)}.png`
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
let files = 0
afterEach(() => vi.restoreAllMocks())

/** Reads a file as the importer of this product does. */
async function read(ending: string, content: string | Buffer) {
  const file = path.join(folder, `${++files}.${ending}`)
  writeFileSync(file, content)
  const { placed, findings } = await checkFile(file, foreignLibrary('W'))
  return {
    questions: placed.map(({ question }) => question),
    faults: findings.filter(({ level }) => level === 'fault'),
  }
}
const readWord = async (html: string) => read('docx', Buffer.from(await (await wordFile(html)).arrayBuffer()))

/** Questions as the error book holds them: sub-questions by themselves. */
async function made(questions: readonly object[]): Promise<PaperQuestion[]> {
  const asked = questions.map((each, i) => ({ no: `W_q${i + 1}`, chapter: 'W_c1', ...each }))
  const { placed } = await checkBank({ ...bankJson({ prefix: 'W', chapters: 1, perChapter: 0 }), questions: asked })
  return placed.flatMap(({ question }): PaperQuestion[] =>
    question.type === 'composite'
      ? question.parts.map((part) => ({ part, material: question }))
      : [{ part: question, material: null }],
  )
}

test('a Word file of questions is read by the importer as the same questions', async () => {
  const questions = await made([
    {
      type: 'single',
      stem: '<p>比 $\\frac{1}{2}$ 大的是</p>',
      options: ['0.3', 'x<sup>2</sup>（x = 1）'],
      answer: 'B',
      reasons: { A: '它小于 0.5' },
      analysis: '<p>x<sub>1</sub> 是 1。</p>',
    },
    { type: 'multiple', stem: '哪些是偶数？', options: ['2', '3', '4'], answer: 'AC' },
    { type: 'judge', stem: '太阳绕地球转。', answer: '错' },
    { type: 'blank', stem: '我国的首都是____。', answer: ['北京'] },
  ])
  expect(questions).toHaveLength(4)
  const found = await readWord(paperHtml(questions, HEAD))
  expect(found.faults).toEqual([])
  expect(found.questions).toMatchObject([
    { type: 'single', stem: expect.stringContaining('<mfrac>'), key: ['B'] },
    { type: 'multiple', key: ['A', 'C'] },
    { type: 'judge', stem: expect.stringContaining('太阳绕地球转'), key: ['B'] },
    { type: 'blank', stem: expect.stringContaining('我国的首都是') },
  ])
  const [single] = found.questions
  expect(single).toMatchObject({
    options: [{ html: '0.3' }, { html: expect.stringContaining('x<sup>2</sup>') }],
    analysis: expect.stringContaining('x<sub>1</sub>'),
  })
})

test('a material stands once before its questions, and answers begin a page of their own or are left out', async () => {
  const parts = [1, 2].map((n) => ({
    no: `W_q1_${n}`,
    type: 'single',
    stem: `第${n}问`,
    options: ['甲', '乙'],
    answer: 'A',
  }))
  const two = await made([{ type: 'composite', stem: '阅读下面的材料。', parts }])
  const page = paperHtml(two, HEAD)
  expect(page.split('阅读下面的材料')).toHaveLength(2)
  expect(page).toMatch(/page-break-before: always[^]*1．【答案】A[^]*2．【答案】A/)
  expect(paperHtml(two, { ...HEAD, answers: false })).not.toContain('答案')
})

test('pictures stand in the file; of one that cannot be had it is said', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  fetched.mockImplementation(async (source) =>
    source === PICTURE
      ? new Response(DOT, { headers: { 'content-type': 'image/png' } })
      : new Response(null, { status: 404 }),
  )
  const [essay] = await made([{ type: 'essay', stem: '看图', reference: '略' }])
  if (!essay) throw new Error('no question')
  const stem = `看图<img src="${PICTURE}" width="20" height="20">和<img src="/media/${'b'.repeat(32)}.png">`
  const html = paperHtml([{ ...essay, part: { ...essay.part, stem } }], HEAD)
  const { questions } = await readWord(html)
  expect(questions).toMatchObject([
    { stem: expect.stringMatching(/看图<img [^>]+>和（图片没有取到，请在应用里查看）/) },
  ])
})

test('marks of HTML in a title are text', () => {
  expect(paperHtml([], { ...HEAD, title: '<b>“A&B”' })).toContain('<h1>&lt;b&gt;“A&amp;B”</h1>')
})
