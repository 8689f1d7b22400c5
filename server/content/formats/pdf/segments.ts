import { around, type Box, type Glyph } from './page.ts'
import { ordinaryCharacters } from '#src/domain/text/text.ts'

/** Glyphs that follow each other in a line. */
export interface Segment extends Box {
  glyphs: Glyph[]
  baseline: number
  size: number
}

/** So much of the size of text. */
const SAME_LINE = 0.08
const SAME_SIZE = 0.06
/** A wider gap may part columns. */
const NEAR = 0.9
const BACK = -0.6
const WIDEST_BLANK = 4

/** Divides what is drawn at the places where the line, the size or the column may change. Spaces are gaps. */
export function segmentsOf(glyphs: readonly Glyph[]): Segment[] {
  const found: Glyph[][] = []
  let open: Glyph[] = []
  for (const glyph of glyphs) {
    const last = open.at(-1)
    if (last && !follows(last, glyph)) {
      found.push(open)
      open = []
    }
    open.push(glyph)
  }
  found.push(open)
  return found.flatMap((each) => parted(each))
}

function follows(last: Glyph, { text, left, baseline, size }: Glyph): boolean {
  const gap = left - last.right
  return (
    Math.abs(baseline - last.baseline) <= SAME_LINE * size &&
    Math.abs(size - last.size) <= SAME_SIZE * size &&
    gap > BACK * size &&
    (gap < NEAR * size || isBlank(last, gap, size, text))
  )
}

/** Tells the room for an answer between brackets, which parts no columns: the closing one may stand beyond the end of a column. */
const isBlank = (last: Glyph, gap: number, size: number, text: string): boolean =>
  gap < WIDEST_BLANK * size && /[（(]$/.test(last.text) && /^[）)]/.test(text)

/** Parts a run where its spaces are wide. A single space is kept, as it says that words are apart. */
function parted(run: readonly Glyph[]): Segment[] {
  const parts: Glyph[][] = [[]]
  let last: Glyph | undefined
  for (const glyph of run) {
    if (isSpace(glyph)) {
      parts.at(-1)?.push(glyph)
      continue
    }
    const gap = last ? glyph.left - last.right : 0
    if (last && gap >= NEAR * glyph.size && !isBlank(last, gap, glyph.size, glyph.text)) parts.push([])
    parts.at(-1)?.push(glyph)
    last = glyph
  }
  return parts.flatMap(segmentOf)
}

/** Makes one of glyphs, or none of spaces. */
export function segmentOf(glyphs: Glyph[]): Segment[] {
  const seen = glyphs.filter((glyph) => !isSpace(glyph))
  const [first] = seen
  if (!first) return []
  const { size, baseline } = first
  return [{ ...around(seen.map(boxOf)), glyphs, baseline, size }]
}

export const isSpace = ({ text }: Glyph): boolean => /^[\s\u00a0\u3000\u200b]*$/.test(text)
/** The box of a glyph is not told: this is one of a Chinese character. */
const boxOf = ({ left, right, baseline, size }: Glyph): Box => ({
  left,
  right,
  top: baseline - 0.85 * size,
  bottom: baseline + 0.15 * size,
})

const LIGATURES = /[\ufb00-\ufb06\u{1d400}-\u{1d7ff}]/gu
/** Characters that say that the font does not tell which they are. */
const UNKNOWN = /\ufffd|\p{Cc}|\p{Cn}|\p{Co}|\p{Cs}/u
/** Returns what a reader sees in a glyph; null: nobody can tell. */
export function characterOf({ text }: Glyph): string | null {
  const plain = ordinaryCharacters(text.replaceAll(LIGATURES, (each) => each.normalize('NFKC')))
  return UNKNOWN.test(plain) || (plain === '' && text !== '' && !/[\u200b\ufeff]/.test(text)) ? null : plain
}

export const textOf = (glyphs: readonly Glyph[]): string => glyphs.map((glyph) => characterOf(glyph) ?? '').join('')
