import type { Piece } from '../word/runs.ts'
import { numberOf } from '../paperNumbers.ts'
import { SECTION } from '../paperAnswers.ts'
import { isLabelled } from '../paperText.ts'
import { isChinese, type Row } from './rows.ts'
import { isSpace, textOf } from './segments.ts'

/** A line of a page, with what is needed to tell whether the next one goes on from it. */
export interface Written {
  row: Row
  text: string
  pieces: Piece[]
  /** Lines that go on in the next one end here. */
  edge: number
}

/** Numbers with which lines begin, by the last line that begins with each: a later one is the question, an earlier 2.5 is not. */
export type Numbers = ReadonlyMap<number, number>
export function numbersOf(texts: readonly string[]): Numbers {
  return new Map(
    texts.flatMap((text, i) => {
      const number = DECIMAL.test(text) ? null : numberOf(text)
      return number === null ? [] : [[number, i] as const]
    }),
  )
}
const DECIMAL = /^\d+[.．]\d/

export const OPTION = /^[（(]?[A-H][)）]?\s?[)）.．、:：]/
const LISTED = /^(?:[（(【[]\s*\d{1,3}\s*[)）\]】]|\d{1,3}\s*[)）]|[①-⑳]|第\s*\d{1,4}\s*题)/
const CHAPTER = /^第[一二三四五六七八九十百\d]+[章节篇讲单元部分课]+/
const ANSWERS = /^[【[]?(?:参考|标准|正确)?答案/
const NOT_ENDED = /[、，,（(＝=～~—]$/
const begins = (text: string): boolean =>
  OPTION.test(text) ||
  LISTED.test(text) ||
  SECTION.test(text) ||
  CHAPTER.test(text) ||
  isLabelled(text) ||
  ANSWERS.test(text) ||
  /^[【[][\u4e00-\u9fff]{1,8}[】\]]/.test(text)

/** So much of the size. */
const SAME_SIZE = 0.04
const SQUEEZED = 0.7
const INDENT = 1.2
const FURTHEST = 3.2

/** @param next where the next line stands among all */
export function goesOn(last: Written, next: Written, at: number, numbers: Numbers): boolean {
  const { size } = last.row
  if (Math.abs(next.row.size - size) > SAME_SIZE * size || begins(next.text) || next.text === '') return false
  const isFull = last.row.right + firstWord(next) > last.edge - SQUEEZED * size
  if (!isFull) return false
  const distance = next.row.baseline - last.row.baseline
  if (distance > FURTHEST * size) return false
  const isNewParagraph = next.row.left - last.row.left > INDENT * size && !startsItem(last.text)
  if (distance > 0 && isNewParagraph) return false
  const number = numberOf(next.text)
  if (number === null || NOT_ENDED.test(last.text)) return true
  return DECIMAL.test(next.text) && (numbers.get(number) ?? -1) > at
}
export const startsItem = (text: string): boolean => numberOf(text) !== null || begins(text)

/** Measures the first word of a line: it would have stood at the end of the line before, if there had been room. */
function firstWord({ row }: Written): number {
  const glyphs = row.segments.flatMap((each) => each.glyphs)
  const from = glyphs.findIndex((glyph) => !isSpace(glyph))
  const first = glyphs[from]
  if (!first) return 0
  if (isChinese(first.text)) return first.right - first.left
  const end = glyphs.findIndex((glyph, i) => i > from && (isSpace(glyph) || isChinese(glyph.text)))
  const last = end < 0 ? glyphs.at(-1) : glyphs[end - 1]
  return (last?.right ?? first.right) - first.left
}

const HYPHENED = /[A-Za-z]([-\u2010])$/
/** Returns what stands between the end of a line and the next one. @param whole all words of the document, to know those with a hyphen */
export function joint(last: string, next: string, whole: string): { text: string; cutsHyphen: boolean; note?: string } {
  if (last.endsWith('\u00ad')) return { text: '', cutsHyphen: true }
  const [first = ''] = /^[A-Za-z]+/.exec(next) ?? []
  if (HYPHENED.test(last) && /^[a-z]/.test(first)) {
    const [head = ''] = /[A-Za-z]+$/.exec(last.slice(0, -1)) ?? []
    if (new RegExp(String.raw`\b${head}${first}\b`, 'i').test(whole)) return { text: '', cutsHyphen: true }
    if (new RegExp(String.raw`\b${head}-${first}\b`, 'i').test(whole)) return { text: '', cutsHyphen: false }
    return { text: '', cutsHyphen: true, note: `“${head}-${first}”在行末断开，连成了“${head}${first}”，请核对` }
  }
  const isTight = isChinese(last.at(-1)) || isChinese(next[0])
  return { text: isTight ? '' : ' ', cutsHyphen: false }
}

export const wordsOf = (row: Row): string => textOf(row.segments.flatMap((each) => each.glyphs)).trim()
