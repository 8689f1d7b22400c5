import { attribute, childrenOf, inside, localName, type Parts } from '../office/parts.ts'
import { type looksIn, runsOf, type Shown, shownNumber, shownText } from './cellText.ts'
import { type Anchored, type CellPictures, floatingPictures } from './sheetPictures.ts'
import type { Row } from '../tableHead.ts'
import { type Element, textIn } from '../xml.ts'

/** All sheets of a workbook share this. */
export interface Book {
  parts: Parts
  strings: readonly Shown[]
  lookOf: ReturnType<typeof looksIn>
  is1904: boolean
  pictures: CellPictures
}
interface Note {
  at: string
  reason: string
}
export interface Sheet {
  sheet: string
  rows: Row[]
  /** They tell what is not read as it might have been meant. */
  notes: Note[]
}
/** From 0; the end is part of it. */
interface Range {
  top: number
  left: number
  bottom: number
  right: number
}

/** A is 0, AA is 26. */
export const columnAt = (letters: string): number =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
export const columnName = (column: number): string =>
  (column >= 26 ? columnName(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))

/**
 * Reads a sheet as it is seen. Rows and columns that are hidden are left out unless they are asked for; a merged cell holds for
 * each of its rows; pictures belong to the cell in which they begin.
 */
export function readSheet(book: Book, sheet: string, part: string, withHidden: boolean): Sheet {
  const rows = new Map<number, Row>()
  const notes: Note[] = []
  const hidden = { rows: [] as number[], columns: [] as Range[] }
  const merged: Range[] = []
  const anchored: Anchored[] = []
  let [height, last] = [15, -1]
  const heights = new Map<number, number>()
  book.parts.each(part, ['sheetFormatPr', 'col', 'row', 'mergeCell', 'drawing'], (element) => {
    const of = (name: string) => attribute(element, name)
    switch (localName(element)) {
      case 'sheetFormatPr':
        height = Number(of('defaultRowHeight') ?? height)
        break
      case 'col':
        if (isTrue(of('hidden')))
          hidden.columns.push({ top: 0, bottom: 0, left: Number(of('min')) - 1, right: Number(of('max')) - 1 })
        break
      case 'row': {
        last = of('r') === undefined ? last + 1 : Number(of('r')) - 1
        if (isTrue(of('hidden'))) hidden.rows.push(last)
        if (of('ht') !== undefined) heights.set(last, Number(of('ht')))
        const row = cellsOf(element, last, book, notes)
        if (row) rows.set(last, row)
        break
      }
      case 'mergeCell':
        merged.push(rangeOf(of('ref') ?? ''))
        break
      case 'drawing': {
        const drawing = book.parts.relations(part).get(of('id') ?? '')
        if (drawing) anchored.push(...floatingPictures(book.parts, drawing, (row) => heights.get(row) ?? height))
      }
    }
  })
  for (const each of anchored) hang(each, rows, notes)
  for (const range of merged) spread(range, rows)
  const seen = withHidden ? rows : withoutHidden(rows, hidden, notes)
  return { sheet, rows: [...seen].sort(([a], [b]) => a - b).map(([, row]) => row), notes }
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

const rangeOf = (ref: string): Range => {
  const [from = '', to = from] = ref.split(':')
  const [start, end] = [from, to].map((cell) => /^\$?([A-Z]+)\$?(\d+)$/.exec(cell))
  const [top, left] = [Number(start?.[2] ?? 1) - 1, columnAt(start?.[1] ?? 'A')]
  return { top, left, bottom: Number(end?.[2] ?? top + 1) - 1, right: columnAt(end?.[1] ?? columnName(left)) }
}

/** Null: a row of nothing but its look. */
function cellsOf(element: Element, at: number, book: Book, notes: Note[]): Row | null {
  const [cells, plain, pictures]: [string[], string[], NonNullable<Row['pictures']>] = [[], [], []]
  let column = -1
  for (const cell of childrenOf(element, 'c')) {
    const letters = /^[A-Z]+/.exec(attribute(cell, 'r') ?? '')?.[0]
    column = letters === undefined ? column + 1 : columnAt(letters)
    const source = book.pictures.of(cell)
    if (source !== null) pictures.push({ column, source })
    const shown = source === null ? shownIn(cell, book) : null
    if (!shown) continue
    if (shown.note) notes.push({ at: `第${at + 1}行 ${columnName(column)}列`, reason: shown.note })
    cells[column] = shown.html
    plain[column] = shown.text
  }
  const isMarked = cells.some((html, i) => html !== plain[i])
  const row: Row = {
    line: at + 1,
    cells: withoutHoles(cells),
    ...(isMarked && { plain: withoutHoles(plain) }),
    ...(pictures.length > 0 && { pictures }),
  }
  return cells.length > 0 || pictures.length > 0 ? row : null
}

const withoutHoles = (cells: readonly string[]): string[] =>
  Array.from({ length: cells.length }, (_, i) => cells[i] ?? '')

function shownIn(cell: Element, { strings, lookOf, is1904 }: Book): (Shown & { note?: string }) | null {
  const [value, formula] = ['v', 'f'].map((name) => childrenOf(cell, name)[0])
  const look = lookOf(Number(attribute(cell, 's') ?? 0))
  const text = textIn(value)
  const type = attribute(cell, 't')
  if (type === 'inlineStr') return runsOf(inside(cell, 'is') ?? cell, look)
  if (formula && !value)
    return { html: '', text: '', note: '单元格是公式，文件里没有算出的结果：请在表格软件里打开并保存一次' }
  if (!value) return null
  if (type === 's') {
    const shared = strings[Number(text)] ?? { html: '', text: '' }
    const isStruck = look.marks.length > 0 && shared.html === shared.text
    return shownText(
      isStruck ? runsOf({ ...cell, children: [{ name: 't', attributes: {}, children: [shared.text] }] }, look) : shared,
      look,
    )
  }
  if (type === 'str') return shownText({ html: text, text }, look)
  if (type === 'b') return { html: text === '1' ? 'TRUE' : 'FALSE', text: text === '1' ? 'TRUE' : 'FALSE' }
  if (type === 'e') return { html: text, text, note: `单元格是错误值 ${text}` }
  const shown = shownNumber(text, look, is1904)
  return shown.isDate ? { ...shown, note: '单元格是日期或时间，按表格所显示的导入；若不是，请设为文本后重写' } : shown
}

/** A picture hangs in the row of its upper edge; one that covers further rows of text may be meant for them. */
function hang({ row: at, bottom, column, source }: Anchored, rows: Map<number, Row>, notes: Note[]): void {
  const row = rows.get(at)
  if (!row) {
    notes.push({ at: `第${at + 1}行`, reason: '图片所在的行没有文字，图片没有导入' })
    return
  }
  row.pictures = [...(row.pictures ?? []), { column, source }]
  const under = Array.from({ length: Math.max(0, bottom - at) }, (_, i) => at + 1 + i).filter(
    (each) => rows.get(each)?.cells.length,
  )
  if (under.length > 0)
    notes.push({ at: `第${at + 1}行`, reason: `图片盖到第${(under.at(-1) ?? at) + 1}行，归入第${at + 1}行，请核对` })
}

/** Repeats the content of a merged cell in each of its rows, which know that it goes on from above. */
function spread({ top, left, bottom }: Range, rows: Map<number, Row>): void {
  const first = rows.get(top)
  if (!first || bottom === top) return
  for (let at = top + 1; at <= bottom; at++) {
    const row = rows.get(at)
    if (!row) continue
    row.cells[left] = first.cells[left] ?? ''
    if (row.plain ?? first.plain) (row.plain ??= [...row.cells])[left] = (first.plain ?? first.cells)[left] ?? ''
    row.goesOn = [...(row.goesOn ?? []), left]
  }
}

function withoutHidden(
  rows: ReadonlyMap<number, Row>,
  hidden: { rows: readonly number[]; columns: readonly Range[] },
  notes: Note[],
): Map<number, Row> {
  const filled = hidden.rows.filter((at) => rows.has(at))
  for (const [from, to] of runs(filled))
    notes.push({
      at: `第${from + 1}行`,
      reason: `${from === to ? '这一行' : `到第${to + 1}行`}是隐藏的，没有导入；要导入请加 --hidden`,
    })
  for (const { left, right } of hidden.columns) {
    const used = [...rows.values()].flatMap(({ cells }) => cells.slice(left, right + 1)).some((text) => text?.trim())
    const span = left === right ? columnName(left) : `${columnName(left)}—${columnName(right)}`
    if (used) notes.push({ at: '文件', reason: `${span} 列是隐藏的，没有导入；要导入请加 --hidden` })
    for (const row of rows.values()) {
      const { cells, plain = cells, pictures } = row
      for (let at = left; at <= right && at < cells.length; at++) cells[at] = plain[at] = ''
      if (pictures) row.pictures = pictures.filter(({ column }) => column < left || column > right)
    }
  }
  const gone = new Set(hidden.rows)
  return new Map([...rows].filter(([at]) => !gone.has(at)))
}

/** Numbers that follow each other, as first and last. */
function runs(numbers: readonly number[]): [number, number][] {
  const found: [number, number][] = []
  for (const each of [...numbers].sort((a, b) => a - b)) {
    const open = found.at(-1)
    if (open && open[1] === each - 1) open[1] = each
    else found.push([each, each])
  }
  return found
}
