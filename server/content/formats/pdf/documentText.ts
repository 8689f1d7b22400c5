import { FileFault } from '#server/content/draft.ts'
import { type Answers, answersPlaced } from '../word/answerTables.ts'
import { linesOf } from '../word/lines.ts'
import { literal, Placeholders } from '../word/placeholders.ts'
import type { Piece } from '../word/runs.ts'
import type { Table } from '../word/tables.ts'
import { FOR_MARKS, tableUse } from '../word/tableUses.ts'
import type { Word } from '../word/word.ts'
import type { Line } from '../paperAnswers.ts'
import { ordinary } from '../paperNumbers.ts'
import type { Headers } from '../tableHead.ts'
import { type Block, dividedPage, type Standing } from './blocks.ts'
import { columnsOf, type Region } from './columns.ts'
import type { Grid } from './grid.ts'
import type { Body } from './margins.ts'
import { type Box, heightOf, middle } from './page.ts'
import { goesOn, joint, type Numbers, numbersOf, type Written, wordsOf } from './paragraphs.ts'
import { type Inset, LAYERED, piecesOf, type Row, rowsOf } from './rows.ts'
import { grouped, isTabular, isTorn } from './sideBySide.ts'
import type { Segment } from './segments.ts'
import { Underlines } from './underlines.ts'

/** A line of a page, or what stands between its lines. */
type Content = { is: 'line'; written: Written } | { is: 'block'; block: Block }
type Item = Content & { page: number }

const MOST_LINES = 400_000
const TORN = '并排的几个选项在换页（换栏）处断开，读不出哪一段属于哪个选项：请把选项一个一行写'
const TABULAR = '有几行文字隔开对齐，像是没有画线的表格，按行读成了文字，请核对'
const UNKNOWN = '有读不出的字（字体没有说明是什么字）：请在原文件里换成常用字体后重新导出'

/** Makes the text of a document of what stands on its pages. */
export class DocumentText {
  private readonly bodies: readonly Body[]
  private readonly headers: Headers
  private readonly held = new Placeholders()
  private readonly lines: Line[] = []
  private readonly places: number[] = []
  private readonly banks: Word['banks'] = []
  private readonly notes: Word['notes'] = []
  private readonly answers: Answers[] = []
  private tables = 0

  constructor(bodies: readonly Body[], headers: Headers) {
    this.bodies = bodies
    this.headers = headers
  }

  read(): Word {
    this.write(this.items())
    const { lines, left } = answersPlaced(this.lines, this.answers)
    this.notes.push(...left.map(({ line, reason }) => ({ at: this.placeOf(line), reason })))
    return { lines, banks: this.banks, held: this.held, notes: this.notes, placeOf: (n) => this.placeOf(n) }
  }

  private placeOf(n: number): string {
    const text = this.held.words(this.lines[n - 1]?.text ?? '').trim()
    return `第${this.places[n - 1] ?? this.places.at(-1) ?? 1}页${text === '' ? '' : `“${text.slice(0, 12)}”`}`
  }

  private items(): Item[] {
    const divided = this.bodies.map(({ page, segments, pictures }) => dividedPage(page, segments, pictures, this.held))
    const columns = columnsOf(divided.map(({ standing }) => standing))
    const pages = this.bodies.map(({ page }, i) => ({
      page: page.number,
      rules: divided[i]?.rules ?? [],
      regions: columns[i] ?? [],
    }))
    const edges = edgesOf(pages.flatMap(({ regions }) => regions))
    return pages.flatMap(({ page, rules, regions }) => {
      this.held.line = this.lines.length + 1
      const under = new Underlines(rules)
      return regions.flatMap((region) => this.itemsOf(region, under, edges(region)).map((item) => ({ ...item, page })))
    })
  }

  private itemsOf(region: Region<Standing>, under: Underlines, edge: number): Content[] {
    const blocks = region.segments.flatMap(({ block }) => block ?? [])
    const rows = rowsOf(region.segments.filter(({ block }) => !block))
    const insets = new Map<Row, Inset[]>()
    const alone: Block[] = []
    for (const block of blocks) {
      const row = block.is === 'held' ? rowBeside(block, rows) : undefined
      if (!row || block.is !== 'held') alone.push(block)
      else insets.set(row, [...(insets.get(row) ?? []), insetOf(block, block.held, row)])
    }
    const endOf = (row: Row) => Math.min(edge, ...blocks.filter((each) => isRightOf(each, row)).map(({ left }) => left))
    const lines = grouped(rows, endOf).map((group): { top: number; item: Content } => {
      const written = group.map((row) => this.written(row, under, insets.get(row) ?? [], endOf(row)))
      return { top: group[0]?.baseline ?? 0, item: { is: 'line', written: oneOf(written) } }
    })
    return [
      ...lines,
      ...alone.map((block) => ({ top: block.top + block.bottom / 1e6, item: { is: 'block' as const, block } })),
    ]
      .toSorted((a, b) => a.top - b.top)
      .map(({ item }) => item)
  }

  private written(row: Row, under: Underlines, insets: readonly Inset[], edge: number): Written {
    const unknown = (): Piece => ({ text: this.held.add({ kind: 'problem', reason: UNKNOWN }), look: {} })
    const pieces = piecesOf(row, under.below(row), insets, unknown)
    const problem = row.problem ?? (under.through(row) ? LAYERED : undefined)
    if (problem !== undefined) pieces.push(this.problem(problem))
    return { row, text: ordinary(wordsOf(row)), pieces, edge }
  }

  private problem(reason: string): Piece {
    return { text: this.held.add({ kind: 'problem', reason }), look: {}, isAside: true }
  }

  /** Joins the lines that go on from each other, and puts all down. */
  private write(items: readonly Item[]): void {
    const texts = items.map((item) => (item.is === 'line' ? item.written.text : ''))
    const numbers = numbersOf(texts)
    const whole = texts.join(' ')
    for (let i = 0; i < items.length;) {
      const item = items[i]
      if (!item) break
      if (item.is === 'block') {
        this.block(item.block, item.page)
        i++
        continue
      }
      const { pieces, end } = this.joined(items, i, { numbers, whole })
      this.push(linesOf('', pieces, this.held), item.page)
      i = end
    }
  }

  private joined(items: readonly Item[], from: number, { numbers, whole }: { numbers: Numbers; whole: string }) {
    const pieces: Piece[] = []
    let end = from
    let last: Written | undefined
    for (let item = items[end]; item?.is === 'line'; item = items[++end]) {
      const { written } = item
      const before = items[end - 1]
      const isBroken =
        before?.is === 'line' && (before.page < item.page || before.written.row.baseline > written.row.baseline)
      if (isBroken && isTorn(written.row, before.written.row)) pieces.push(this.problem(TORN))
      if (!isBroken && before?.is === 'line' && isTabular(written.row, before.written.row))
        pieces.push({ text: this.held.add({ kind: 'note', reason: TABULAR }), look: {}, isAside: true })
      if (last) {
        if (!goesOn(last, written, end, numbers)) break
        const { text, cutsHyphen, note } = joint(last.text, written.text, whole)
        if (cutsHyphen) cutLast(pieces)
        pieces.push({ text, look: {} })
        if (note !== undefined)
          pieces.push({ text: this.held.add({ kind: 'note', reason: note }), look: {}, isAside: true })
      }
      pieces.push(...written.pieces.map((piece) => ({ ...piece, text: plain(piece.text) })))
      last = written
    }
    return { pieces, end }
  }

  private block(block: Block, page: number): void {
    if (block.is === 'held') {
      this.push([block.held], page)
      return
    }
    this.tables++
    const use = tableUse(this.tableOf(block.grid, block.segments, new Underlines(block.rules)), this.held, this.headers)
    if (use.is === 'bank') this.banks.push({ at: `第${page}页表格${this.tables}`, rows: use.rows })
    else if (use.is === 'answers') this.answers.push({ line: this.lines.length, pairs: use.pairs })
    else if (use.is === 'marks') this.notes.push({ at: `第${page}页`, reason: FOR_MARKS })
    else this.push(use.lines, page)
  }

  private tableOf(grid: Grid, segments: readonly Segment[], under: Underlines): Table {
    const rows = grid.rows.map((cells) =>
      cells.map(({ column, span, goesOn: isOld, ...cell }) => {
        const within = isOld ? [] : segments.filter((each) => isIn(each, cell))
        const written = rowsOf(within).map((row) => this.written(row, under, [], cell.right - CELL_PADDING))
        const items = written.map((each): Item => ({ is: 'line', written: each, page: 0 }))
        const lines: string[] = []
        for (let i = 0; i < items.length;) {
          const { pieces, end } = this.joined(items, i, { numbers: new Map(), whole: '' })
          lines.push(...linesOf('', pieces, this.held))
          i = end
        }
        return { lines, column, span, goesOn: isOld }
      }),
    )
    return { rows, hasNested: false, isTracked: false, hasHidden: false }
  }

  private push(lines: readonly string[], page: number): void {
    for (const text of lines) {
      this.lines.push({ text, n: this.lines.length + 1 })
      this.places.push(page)
    }
    if (this.lines.length > MOST_LINES) throw new FileFault('文件太长：请分成几个文件')
  }
}

/** Points between the text of a cell and its line. */
const CELL_PADDING = 6

const HELD = /[\u{f0000}-\u{ffffd}]/u
const plain = (text: string): string => (HELD.test(text) ? text : literal(text))
const isIn = (segment: Segment, { left, top, right, bottom }: Box): boolean => {
  const [x, y] = [(segment.left + segment.right) / 2, middle(segment)]
  return x >= left && x < right && y >= top && y < bottom
}
/** Lines of one option are one, which nothing goes on from. */
function oneOf(lines: readonly Written[]): Written {
  const [first, ...others] = lines
  if (!first) throw new RangeError('an option has a line')
  return others.reduce((whole, next) => {
    const { text } = joint(whole.text, next.text, '')
    return {
      row: whole.row,
      text: whole.text + text + next.text,
      pieces: [...whole.pieces, { text, look: {} }, ...next.pieces],
      edge: Infinity,
    }
  }, first)
}
/** Takes the hyphen off the end of a line. */
function cutLast(pieces: Piece[]): void {
  const last = pieces.at(-1)
  if (last && /[-\u2010\u00ad]$/.test(last.text)) pieces[pieces.length - 1] = { ...last, text: last.text.slice(0, -1) }
}

/** The line in which a picture stands: its first one, or the one on which it stands as a letter does. */
const rowBeside = (block: Box, rows: readonly Row[]): Row | undefined =>
  rows.find(({ baseline, size }) => {
    const y = baseline - 0.35 * size
    return y >= block.top && y <= block.bottom
  }) ??
  rows.find(
    ({ baseline, size, segments }) =>
      Math.abs(baseline - block.bottom) < 0.7 * size &&
      segments.every(({ left, right }) => right < block.left + 1 || left > block.right - 1),
  )
const isRightOf = (block: Box, row: Row): boolean =>
  block.left > row.right - row.size && block.top < row.bottom && block.bottom > row.top
/** A picture that is higher than two lines and stands behind all of one is no part of its sentence. */
const insetOf = (block: Box, held: string, row: Row): Inset => ({
  ...block,
  piece: { text: held, look: {}, isAside: heightOf(block) > 2.5 * row.size && block.left >= row.right - 1 },
})

/** Lines end here: in the column of one page, or, where that is short, in those of all pages that are as wide. */
function edgesOf(regions: readonly Region[]): (region: Region) => number {
  const nameOf = ({ name }: Region) => name.replaceAll('-', '')
  const furthest = new Map<string, number>()
  for (const region of regions)
    furthest.set(nameOf(region), Math.max(furthest.get(nameOf(region)) ?? 0, textRight(region)))
  return (region) => {
    const all = furthest.get(nameOf(region)) ?? region.right
    const own = textRight(region)
    return region.segments.length >= ENOUGH && all - own < SHIFTED ? own : all
  }
}
const textRight = ({ segments }: Region): number =>
  segments.reduce((right, each) => (each.glyphs.length > 0 ? Math.max(right, each.right) : right), 0)
const ENOUGH = 12
/** Odd and even pages may stand a little beside each other. */
const SHIFTED = 30
