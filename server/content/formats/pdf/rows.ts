import type { Piece } from '../word/runs.ts'
import { around, type Box, type Glyph } from './page.ts'
import { characterOf, isSpace, type Segment } from './segments.ts'

/** A line of text as it stands on a page. */
export interface Row extends Box {
  segments: Placed[]
  baseline: number
  size: number
  /** Why its text cannot be read in order. */
  problem?: string
}
interface Placed extends Segment {
  script?: 'sup' | 'sub'
}

/** So much of the size: a line is where baselines differ by less. */
const ONE_LINE = 0.25
const SMALLER = 0.88
/** A smaller sign that is moved by less stands on the line. */
const MOVED = 0.055
const FURTHEST = 0.7
const BESIDE = 0.5
/** Lines that are nearer to each other lie over each other, as in a fraction. */
const NEAREST = 0.85
const RUBY = 0.62

/** Gathers the lines of a column from top to bottom. */
export function rowsOf(segments: readonly Segment[]): Row[] {
  const groups: Segment[][] = []
  for (const each of segments.toSorted((a, b) => a.baseline - b.baseline)) {
    const last = groups.at(-1)
    const [first] = last ?? []
    if (first && each.baseline - first.baseline <= ONE_LINE * Math.min(each.size, first.size)) last?.push(each)
    else groups.push([each])
  }
  const rows = groups.map(rowOf)
  return tangled(withScripts(rows))
}

export function rowOf(segments: readonly Placed[]): Row {
  const size = sizeOf(segments)
  const main = segments.filter((each) => each.size > SMALLER * size)
  const baseline = main.reduce((sum, each) => sum + each.baseline, 0) / main.length
  const placed = segments.map((each): Placed => {
    const moved = each.baseline - baseline
    if (each.script !== undefined || each.size > SMALLER * size || Math.abs(moved) < MOVED * size) return each
    return { ...each, script: moved < 0 ? 'sup' : 'sub' }
  })
  return { ...around(segments), segments: placed.toSorted((a, b) => a.left - b.left), baseline, size }
}
/** The size of most of a line; where two are as frequent, the larger. */
function sizeOf(segments: readonly Segment[]): number {
  const counts = new Map<number, number>()
  for (const { size, glyphs } of segments) {
    const key = Math.round(size * 4) / 4
    counts.set(key, (counts.get(key) ?? 0) + glyphs.length * size)
  }
  return [...counts].reduce((most, each) =>
    each[1] > most[1] || (each[1] === most[1] && each[0] > most[0]) ? each : most,
  )[0]
}

/** Joins signs that are raised or lowered with the line that they belong to. */
function withScripts(rows: readonly Row[]): Row[] {
  const added = new Map<Row, Placed[]>()
  const rest: Row[] = []
  for (const [i, row] of rows.entries()) {
    const near = [rows[i - 1], rows[i + 1]].filter((each) => each !== undefined)
    const owners = row.segments.map((each) => near.find((other) => isScriptOf(each, other)))
    if (owners.some((owner) => owner === undefined)) rest.push(row)
    else
      for (const [n, each] of row.segments.entries()) {
        const owner = owners[n]
        if (!owner) continue
        const script = each.baseline < owner.baseline ? 'sup' : 'sub'
        added.set(owner, [...(added.get(owner) ?? []), { ...each, script }])
      }
  }
  return rest.map((row) => {
    const scripts = added.get(row)
    if (!scripts) return row
    const segments = [...row.segments, ...scripts].toSorted((a, b) => a.left - b.left || b.baseline - a.baseline)
    return { ...row, segments, ...around(segments) }
  })
}

const isScriptOf = (sign: Segment, row: Row): boolean =>
  sign.size <= SMALLER * row.size &&
  Math.abs(sign.baseline - row.baseline) <= FURTHEST * row.size &&
  row.segments.some(
    ({ left, right, size }) =>
      size > SMALLER * row.size &&
      (Math.abs(sign.left - right) <= BESIDE * row.size ||
        Math.abs(left - sign.right) <= BESIDE * row.size ||
        (sign.left > left && sign.right < right)),
  )

export const LAYERED = '公式排成上下几层（如分数、求和），读不出次序：请在原文件里把公式截成图片，或导入 .docx'
const PINYIN = '文字上面的注音读不出属于哪个字：请删去注音，或导入 .docx'
/** Tells lines that are too near to each other to be lines of text. */
function tangled(rows: readonly Row[]): Row[] {
  const problems = new Map<Row, string>()
  for (const [i, row] of rows.entries()) {
    const next = rows[i + 1]
    if (!next) break
    const [larger, distance] = [Math.max(row.size, next.size), next.baseline - row.baseline]
    const isOver = row.left < next.right + larger && next.left < row.right + larger
    const isRuby = row.size < RUBY * next.size && distance < 1.35 * next.size
    const reason = isRuby ? PINYIN : LAYERED
    if (isOver && (isRuby || distance < NEAREST * larger)) for (const each of [row, next]) problems.set(each, reason)
  }
  return rows.map((row) => {
    const problem = problems.get(row)
    return problem === undefined ? row : { ...row, problem }
  })
}

/** These stand in a line besides glyphs, each in its place. */
export interface Inset extends Box {
  piece: Piece
}

/** So much of the size: of Chinese characters, which stand apart in a line that is filled, and of letters. */
const GAP_OF_CHINESE = 0.5
const GAP_OF_LETTERS = 0.17
/** A space is so wide. */
const SPACE = 0.5
const ONE_SPACE = 0.95
const MOST_SPACES = 24
const CHINESE = /[\u2e80-\u9fff\uf900-\ufaff\u3000-\u303f\uff00-\uffef]/
export const isChinese = (text: string | undefined): boolean => CHINESE.test(text ?? '')

interface Pen {
  pieces: Piece[]
  right: number
  text: string
  hasSpace: boolean
}

/** The text of a line. @param underlines boxes of lines under it @param unknown stands for a character that nobody can tell */
export function piecesOf(
  row: Row,
  underlines: readonly Box[],
  insets: readonly Inset[],
  unknown: () => Piece,
): Piece[] {
  const isUnder = (from: number, to: number) =>
    underlines.some(({ left, right }) => left <= (from + to) / 2 && right >= (from + to) / 2)
  const pen: Pen = { pieces: [], right: row.left, text: '', hasSpace: false }
  const waiting = insets.toSorted((a, b) => a.left - b.left)
  const gap = (to: number, next: string) => {
    const text = spaces(pen, to, next, row.size)
    if (text !== '') pen.pieces.push({ text, look: { u: isUnder(pen.right, to) && text.length > 1 } })
    pen.hasSpace = false
  }
  const put = (glyph: Glyph, script: Placed['script']) => {
    for (let next = waiting[0]; next && next.left < glyph.left; next = waiting[0]) {
      pen.pieces.push(next.piece)
      waiting.shift()
    }
    if (isSpace(glyph)) {
      pen.hasSpace ||= glyph.text.trim() === '' && glyph.text !== ''
      return
    }
    const text = characterOf(glyph)
    gap(glyph.left, text ?? '')
    const look = { ...(script && { script }), ...(isUnder(glyph.left, glyph.right) && { u: true }) }
    pen.pieces.push(text === null ? unknown() : { text, look })
    pen.text = text ?? ''
    pen.right = Math.max(pen.right, glyph.right)
  }
  const [before] = underlines.filter(({ left }) => left < row.left - row.size)
  if (before) pen.right = before.left
  for (const { glyphs, script } of row.segments) for (const glyph of glyphs) put(glyph, script)
  const behind = underlines.reduce((right, each) => Math.max(right, each.right), pen.right)
  if (behind - pen.right > row.size) gap(behind, '')
  return [...pen.pieces, ...waiting.map(({ piece }) => piece)]
}

function spaces(pen: Pen, to: number, next: string, size: number): string {
  const wide = to - pen.right
  const isApart = isChinese(pen.text) || isChinese(next) ? GAP_OF_CHINESE : GAP_OF_LETTERS
  if (!pen.hasSpace && wide <= isApart * size) return ''
  // Words of a line that is filled stand further apart, and are still parted by one.
  return wide < ONE_SPACE * size ? ' ' : ' '.repeat(Math.min(MOST_SPACES, Math.round(wide / (SPACE * size))))
}
