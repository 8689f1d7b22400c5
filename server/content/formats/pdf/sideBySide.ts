import { OPTION, startsItem } from './paragraphs.ts'
import type { Glyph } from './page.ts'
import { isChinese, type Row, rowOf } from './rows.ts'
import { isSpace, segmentOf, textOf } from './segments.ts'
import { ordinary } from '../paperNumbers.ts'

/** Lines that belong to each other: those of one option, where options stand beside each other and go on below themselves. */
export type Group = Row[]

const APART = 2.4
/** So much of the size. */
const BACK = 0.6
const FULL = 2

const wordsOf = ({ segments }: Pick<Row, 'segments'>): string =>
  ordinary(textOf(segments.flatMap(({ glyphs }) => glyphs)))

/** Gives each option a group of its own where several go on in the same next line. @param edge where lines end */
export function grouped(rows: readonly Row[], edge: (row: Row) => number): Group[] {
  const found: Group[] = []
  for (let i = 0; i < rows.length; i++) {
    const whole = rows[i]
    if (!whole) break
    const row = parted(whole)
    const starts = startsIn(row)
    let below = i + 1
    while (starts.length > 1 && goesOnBelow(rows[below], rows[below - 1], { row, starts, edge: edge(row) })) below++
    if (below === i + 1) found.push([whole])
    else {
      const lines = [row, ...rows.slice(i + 1, below)]
      found.push(...starts.map((_, n) => lines.flatMap((line) => partOf(line, starts, n))))
      i = below - 1
    }
  }
  return found
}

/** The options of a line begin here. */
const startsIn = ({ segments }: Row): number[] =>
  segments.flatMap((each) => (OPTION.test(wordsOf({ segments: [each] })) ? [each.left] : []))

/** Divides a line before its options: there may be little room between them. */
function parted(row: Row): Row {
  const segments = row.segments.flatMap((each) => {
    const parts: Glyph[][] = [[]]
    for (const [i, glyph] of each.glyphs.entries()) {
      const before = each.glyphs[i - 1]
      const isMark = /^[A-H]$/.test(glyph.text) && SIGN.test(each.glyphs[i + 1]?.text ?? '')
      if (isMark && before && (isSpace(before) || isChinese(before.text) || glyph.left > before.right + 1))
        parts.push([])
      parts.at(-1)?.push(glyph)
    }
    return parts.length === 1 ? [each] : parts.flatMap(segmentOf).map((part) => ({ ...each, ...part }))
  })
  return { ...row, segments }
}
const SIGN = /^[.．、:：)）]/

interface Above {
  row: Row
  starts: readonly number[]
  edge: number
}
function goesOnBelow(next: Row | undefined, last: Row | undefined, { row, starts, edge }: Above): boolean {
  const [first = 0, second = 0] = starts
  if (!next || !last || next.baseline - last.baseline > APART * row.size) return false
  if (startsItem(wordsOf(next)) || next.segments.some((each) => each.left < first - BACK * row.size)) return false
  const under = new Set(next.segments.map(({ left }) => columnOf(left, starts, row.size)))
  if (under.size > 1 || !under.has(0)) return true
  // One piece, below the first option: it may also go on from the last one, when that reaches to the end of the line.
  const isFirstFull = row.segments.some(({ left, right }) => left < second - 1 && right > second - FULL * row.size)
  return isFirstFull && row.right < edge - FULL * row.size
}

/**
 * Tells whether the first line of a page or a column holds pieces of several options that stand at the end of the one before: nobody
 * knows which belongs to which.
 */
export const isTorn = (row: Row, last: Row): boolean =>
  startsIn(parted(last)).length > 1 && row.segments.length > 1 && !startsItem(wordsOf(row)) && !/^\d/.test(wordsOf(row))

/** So much of the size is white between words that stand as in a table. */
const WHITE = 1.8
/** Tells whether two lines stand below each other as the rows of a table that has no lines. */
export function isTabular(row: Row, last: Row): boolean {
  const [starts, before] = [row, last].map(startsOfWords)
  if (!starts || !before || [row, last].some((each) => startsItem(wordsOf(each)))) return false
  return starts.filter((left) => before.some((other) => Math.abs(left - other) < row.size)).length > 1
}
/** A line begins at these, and goes on behind much white. */
const startsOfWords = ({ segments, size }: Row): number[] =>
  segments.flatMap(({ left }, i) => {
    const before = segments[i - 1]
    return !before || left - before.right > WHITE * size ? [left] : []
  })

const columnOf = (left: number, starts: readonly number[], size: number): number =>
  starts.findLastIndex((start, i) => i === 0 || left >= start - BACK * size)

function partOf(line: Row, starts: readonly number[], n: number): Row[] {
  const segments = line.segments.filter(({ left }) => columnOf(left, starts, line.size) === n)
  return segments.length === 0
    ? []
    : [{ ...rowOf(segments), ...(line.problem !== undefined && { problem: line.problem }) }]
}
