import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Draft } from '#server/content/draft.ts'
import { DocumentText } from '#server/content/formats/pdf/documentText.ts'
import { bodiesOf } from '#server/content/formats/pdf/margins.ts'
import type { Glyph, Page } from '#server/content/formats/pdf/page.ts'
import { readPaper } from '#server/content/formats/paperText.ts'
import { takeDocument } from '#server/content/formats/word/readDocument.ts'

interface Layout {
  size: number
  columns: number
  /** Characters of a column's line. */
  width: number
  /** Lines of a column. */
  height: number
  /** Behind Chinese characters, as where lines are filled. */
  spread: number
  hasHeader: boolean
}
const WIDE = /[^ -~]/

/** Sets lines of text on pages, as a program does that wraps what is longer than a line. */
function setPages(lines: readonly string[], { size, columns, width, height: most, spread, hasHeader }: Layout): Page[] {
  const wrapped = lines.flatMap((line) => {
    const rows: string[] = []
    let [row, used] = ['', 0]
    for (const sign of line) {
      const takes = WIDE.test(sign) ? 1 : 0.5
      // A number or a word is not divided.
      if (used + takes > width && !/^[\d.A-Z）]$/.test(sign)) {
        rows.push(row)
        ;[row, used] = ['', 0]
      }
      row += sign
      used += takes
    }
    return [...rows, row]
  })
  // Columns of one page are as long as each other, and end above the footer.
  const height = Math.min(most, Math.ceil(wrapped.length / columns), Math.floor(690 / (size * 1.6)))
  const pages: Page[] = []
  for (let from = 0; from < wrapped.length; from += height * columns) {
    const number = pages.length + 1
    const glyphs = Array.from({ length: columns }, (_, column) =>
      wrapped
        .slice(from + column * height, from + (column + 1) * height)
        .flatMap((row, i) =>
          glyphsOf(row, 50 + column * (width + 4) * (size + spread), 80 + i * size * 1.6, size, spread),
        ),
    ).flat()
    if (hasHeader)
      glyphs.push(...glyphsOf('××学校模拟卷', 50, 40, size, 0), ...glyphsOf(`第 ${number} 页`, 300, 820, size, 0))
    pages.push({
      number,
      width: 1200,
      height: 842,
      glyphs,
      rules: [],
      figures: [],
      pictures: [],
      slanted: '',
      faint: '',
      isRecognised: false,
    })
  }
  return pages
}
function glyphsOf(text: string, x: number, baseline: number, size: number, spread: number): Glyph[] {
  let left = x
  return Array.from(text, (sign) => {
    const right = left + (WIDE.test(sign) ? size : size / 2)
    const glyph = { text: sign, left, right, baseline, size }
    left = right + (WIDE.test(sign) ? spread : 0)
    return glyph
  })
}

async function draftsOf(pages: readonly Page[]): Promise<Draft[]> {
  const drafts: Draft[] = []
  const intake = { draft: (each: Draft) => drafts.push(each), report: () => {}, picture: () => {} }
  const document = new DocumentText(bodiesOf(pages).bodies, {}).read()
  await takeDocument(document, 'paper.pdf', intake, { headers: {}, unused: () => {} })
  return drafts
}
const plain = (text: string | undefined): string => (text ?? '').replaceAll(/\s/g, '')
const contentOf = ({ stem, answer, type, refused }: Draft) => [plain(stem), plain(answer), type, refused]

const words = (least: number, most: number) => fc.stringMatching(new RegExp(`^[\\u4e00-\\u4eff]{${least},${most}}$`))
const question = fc.record({
  stem: words(3, 60),
  options: fc.uniqueArray(words(2, 30), { minLength: 2, maxLength: 4 }),
  key: fc.nat(1),
  isBeside: fc.boolean(),
})
const layout = fc.record({
  size: fc.constantFrom(9, 10.5, 12),
  columns: fc.constantFrom(1, 2),
  width: fc.integer({ min: 18, max: 30 }),
  height: fc.integer({ min: 20, max: 40 }),
  spread: fc.constantFrom(0, 0, 0.5, 2),
  hasHeader: fc.boolean(),
})

test('any paper in one or two columns gives the same questions as a text and as pages, however it is set', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(question, { minLength: 6, maxLength: 30 }), layout, async (asked, set) => {
      const lines = asked.flatMap(({ stem, options, key, isBeside }, i) => {
        const lettered = options.map((text, at) => `${'ABCD'[at]}．${text}`)
        const row = lettered.map((each) => each.slice(0, 5)).join('    ')
        return [
          `${i + 1}．${stem}（  ）`,
          ...(isBeside && row.length < set.width ? [row] : lettered),
          `答案：${'ABCD'[key]}`,
        ]
      })
      const text = readPaper(lines.join('\n'), 'paper.txt').drafts
      const document = await draftsOf(setPages(lines, set))
      expect(document.map(contentOf)).toEqual(text.map(contentOf))
    }),
    { numRuns: 40 },
  )
})
