// @vitest-environment jsdom
import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkFile } from '#server/content/bank/import.ts'
import { richText } from '#server/content/formats/richText.ts'
import type { Question } from '#src/contract/question.ts'
import { isPictureSource, MATH_ATTRIBUTES, MATH_TAGS, TEXT_ATTRIBUTES, TEXT_TAGS } from '#src/domain/text/html.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-fuzz-'))
const library = {
  library: 'F',
  title: '试卷',
  subject: { no: 'politics', name: '政治' },
  directions: [],
  areas: [],
  chapter: '综合',
  headers: {},
}

/** What a browser makes of it that the one list of domain/text/html.ts does not hold: tags, attributes, addresses. */
function strangers(html: string): string[] {
  const page = new DOMParser().parseFromString(`<body>${html}</body>`, 'text/html')
  const found = [...page.body.querySelectorAll('*')].flatMap((element) => {
    const tag = element.localName
    const isMaths = MATH_TAGS.some((each) => each === tag)
    if (!isMaths && !TEXT_TAGS.some((each) => each === tag)) return [tag]
    const allowed: readonly string[] = isMaths ? [...MATH_ATTRIBUTES, 'class'] : (TEXT_ATTRIBUTES[tag] ?? [])
    return [...element.attributes]
      .filter(
        ({ name, value }) =>
          !allowed.includes(name) ||
          (name === 'src' && !isPictureSource(value)) ||
          (name === 'class' && !/^(tml-(left|right) ?)*$/.test(value)),
      )
      .map(({ name, value }) => `${tag} ${name}=${value}`)
  })
  return [...found, ...[...page.head.children].map((element) => element.localName)]
}
const expectClean = (html: string): void =>
  expect({ html, strangers: strangers(html) }).toEqual({ html, strangers: [] })

function htmlsOf(question: Question): string[] {
  const own = [question.stem, question.analysis]
  if (question.type === 'composite') return [...own, ...question.parts.flatMap(htmlsOf)]
  if (question.type === 'essay') return [...own, question.reference, ...question.scoring.map(({ html }) => html)]
  return 'options' in question ? [...own, ...question.options.flatMap(({ html, why = '' }) => [html, why])] : own
}

/** Shreds of everything that has ever broken an importer or a page. */
const SHREDS = [
  '<',
  '>',
  '"',
  "'",
  '&',
  '$',
  '$$',
  '\\',
  '{',
  '}',
  '=',
  '~',
  '#',
  '%',
  '%50%',
  ':',
  '::',
  '//',
  '->',
  '\n',
  '\n\n',
  '\r\n',
  ',',
  ';',
  '|',
  ' ',
  '<script>',
  '</script>',
  '<img src=',
  'http://127.0.0.1:9/a.png',
  '/media/0123456789abcdef.png',
  ' onerror=alert(1) ',
  ' alt="',
  '<svg onload=',
  '<math>',
  '</math>',
  '<mtext>',
  '<style>',
  '<table>',
  '<a href="javascript:alert(1)">',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<iframe srcdoc=',
  '<p style="x">',
  '&lt;',
  '&amp;lt;script&amp;gt;',
  '&#60;',
  '&#x3c;img',
  '&amp;#57344;',
  '\uE0000\uE001',
  '&#xE000;0&#xE001;',
  '\\(',
  '\\)',
  '\\[',
  '\\]',
  '\\frac{1}{2}',
  '\\left',
  '\\begin{tabular}{c}',
  '\\end{tabular}',
  '\\href{javascript:alert(1)}{x}',
  '\\text{<b>}',
  '\\nosuch',
  '[img:',
  ']',
  '[html]',
  'A.',
  'B．',
  '（C）',
  '甲',
  '乙',
  '对',
  'x<y',
  '题干',
  '答案',
  '选项',
  'constructor',
  '__proto__',
  '$CATEGORY: a/../b',
  '{T}',
  '{=a ~b}',
  '\u0000',
  '\uFEFF',
  '⼤',
  '\uD800',
]
const shreds = fc.array(fc.constantFrom(...SHREDS), { maxLength: 20 }).map((list) => list.join(''))
const anyText = fc.oneof(
  { weight: 4, arbitrary: shreds },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
)

let files = 0
async function survives(ending: string, content: string | Uint8Array): Promise<number> {
  const file = path.join(folder, `f${++files % 50}.${ending}`)
  writeFileSync(file, content)
  // Whatever is in the file is told as a finding: checkFile throws only what is our own fault.
  const { placed, findings } = await checkFile(file, library)
  for (const { question } of placed) for (const html of htmlsOf(question)) expectClean(html)
  for (const { at, reason } of findings) expect(at && reason).not.toBe('')
  return placed.length
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

test('any text becomes HTML that a page may hold', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { html } = richText(text)
      expectClean(html)
      expect(html).not.toMatch(/[\uE000\uE001]/)
    }),
    { numRuns: 3000 },
  )
})

test('any bytes with any ending are read or refused', async () => {
  const content = fc.oneof(anyText, fc.uint8Array({ maxLength: 200 }))
  const ending = fc.constantFrom('csv', 'gift', 'json', 'txt', 'xlsx', 'xml', 'zip', 'exe')
  await fc.assert(
    fc.asyncProperty(ending, content, async (each, bytes) => void (await survives(each, bytes))),
    { numRuns: 500 },
  )
})

test('tables of any cells are read or refused', async () => {
  const headers = fc.constantFrom(
    '题干,题型,选项A,选项B,答案,解析',
    '题干,题型,选项A,选项B,答案,B解析',
    '题干,选项,答案',
    '题干,答案,难度,知识点,章节',
    '题干,constructor,__proto__',
  )
  const type = fc.constantFrom('单选', '多选', '判断', '填空', '简答', '材料题', '')
  const answer = fc.oneof(fc.constantFrom('A', 'AB', '对', 'Z'), anyText)
  const rows = fc.array(fc.tuple(anyText, type, anyText, anyText, answer, anyText), { maxLength: 6 })
  let imported = 0
  await fc.assert(
    fc.asyncProperty(headers, rows, async (head, cells) => {
      imported += await survives('csv', [head, ...cells.map((row) => row.map(quoted).join(','))].join('\n'))
    }),
    { numRuns: 400 },
  )
  expect(imported).toBeGreaterThan(100)
})

test('GIFT of any stems and answers is read or refused', async () => {
  const question = fc
    .tuple(
      anyText,
      fc.constantFrom('{T}', '{}', '{=', '{~', '{#', ''),
      anyText,
      fc.constantFrom('}', ' ~b}', ' =b->c}', ''),
    )
    .map((parts) => parts.join(''))
  let imported = 0
  await fc.assert(
    fc.asyncProperty(fc.array(question, { maxLength: 5 }), async (list) => {
      imported += await survives('gift', list.join('\n\n'))
    }),
    { numRuns: 400 },
  )
  expect(imported).toBeGreaterThan(20)
})

test('own JSON with any values is read or refused', async () => {
  const value = fc.oneof(
    anyText,
    fc.constantFrom('single', 'judge', 'blank', 'essay', 'A', 'c1'),
    fc.array(anyText, { maxLength: 4 }),
    fc.jsonValue(),
  )
  const keys = [
    'no',
    'chapter',
    'type',
    'stem',
    'options',
    'answer',
    'blanks',
    'reference',
    'scoring',
    'reasons',
    'analysis',
    'points',
    'parts',
    'difficulty',
    'year',
  ]
  const wild = fc.dictionary(fc.constantFrom(...keys), value)
  const likely = fc.record({
    chapter: fc.constant('c1'),
    type: fc.constantFrom('single', 'indefinite', 'judge', 'blank', 'essay'),
    stem: anyText,
    options: fc.array(anyText, { minLength: 2, maxLength: 4 }),
    answer: fc.constantFrom('A', '对', 'B'),
    reasons: fc.dictionary(fc.constantFrom('A', 'b', '__proto__'), anyText),
    analysis: anyText,
    reference: anyText,
    scoring: fc.array(fc.record({ text: anyText, score: fc.double() }), { maxLength: 2 }),
  })
  const frame = {
    format: 'lijian/1',
    subject: { no: 's', name: '政治' },
    library: { no: 'F', title: '题库' },
    chapters: [{ no: 'c1', parent: null, title: '一' }],
  }
  let imported = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(wild, likely), { maxLength: 4 }), async (questions) => {
      imported += await survives('json', JSON.stringify({ ...frame, questions }))
    }),
    { numRuns: 400 },
  )
  expect(imported).toBeGreaterThan(100)
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom(...Object.keys(frame), 'points', 'questions'), fc.jsonValue()),
      async (over) => {
        await survives('json', JSON.stringify({ ...frame, questions: [], ...over }))
      },
    ),
  )
})

const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']] >')}]]>`
const moodle = (type: string, [stem = '', a = '', b = '', told = '']: string[]): string =>
  `<quiz><question type="${type}"><questiontext><text>${cdata(stem)}</text></questiontext><generalfeedback><text>${cdata(told)}</text></generalfeedback><answer fraction="100"><text>${cdata(a)}</text></answer><answer fraction="0"><text>${cdata(b)}</text><feedback><text>${cdata(told)}</text></feedback></answer></question></quiz>`
const qti12 = ([stem = '', a = '', b = '', told = '']: string[]): string => {
  const text = (of: string) => `<material><mattext texttype="text/html">${cdata(of)}</mattext></material>`
  return `<questestinterop><item><presentation>${text(stem)}<response_lid ident="r"><render_choice><response_label ident="a">${text(a)}</response_label><response_label ident="b">${text(b)}</response_label></render_choice></response_lid></presentation><resprocessing><respcondition><conditionvar><varequal respident="r">a</varequal></conditionvar><setvar>100</setvar></respcondition></resprocessing><itemfeedback ident="general_fb">${text(told)}</itemfeedback></item></questestinterop>`
}
const qti2 = ([stem = '', a = '', b = '', told = '']: string[]): string =>
  `<assessmentItem><responseDeclaration identifier="R"><correctResponse><value>a</value></correctResponse></responseDeclaration><itemBody><p>${cdata(stem)}</p><choiceInteraction responseIdentifier="R"><simpleChoice identifier="a">${cdata(a)}</simpleChoice><simpleChoice identifier="b">${cdata(b)}<feedbackInline identifier="b">${cdata(told)}</feedbackInline></simpleChoice></choiceInteraction></itemBody></assessmentItem>`

test('what stands in the fields of XML is read or refused, whole or with a piece of it lost', async () => {
  const fields = fc.array(anyText, { minLength: 4, maxLength: 4 })
  const types = fc.constantFrom('multichoice', 'truefalse', 'shortanswer', 'numerical', 'essay', 'cloze', 'gapselect')
  const source = fc.oneof(
    fc.tuple(types, fields).map(([type, texts]) => moodle(type, texts)),
    fields.map(qti12),
    fields.map(qti2),
  )
  const cut = fc.option(fc.tuple(fc.nat(1200), fc.nat(40)), { freq: 4 })
  let imported = 0
  await fc.assert(
    fc.asyncProperty(source, cut, async (whole, lost) => {
      const content = lost ? whole.slice(0, lost[0]) + whole.slice(lost[0] + lost[1]) : whole
      imported += await survives('xml', content)
    }),
    { numRuns: 400 },
  )
  expect(imported).toBeGreaterThan(50)
})
