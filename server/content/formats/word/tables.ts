import { attribute, childrenOf, localName } from '../office/parts.ts'
import type { Element } from '../xml.ts'
import type { Row } from '../tableHead.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import type { Placeholders } from './placeholders.ts'

interface Cell {
  lines: string[]
  column: number
  span: number
  /** It goes on from the cell above. */
  goesOn: boolean
}
export interface Table {
  rows: Cell[][]
  hasNested: boolean
  isTracked: boolean
  hasHidden: boolean
}

const child = (of: Element | undefined, name: string): Element | undefined => of && childrenOf(of, name)[0]
/** Rows and cells may stand in controls. */
const within = (of: Element, name: string): Element[] =>
  childrenOf(of).flatMap((each) => {
    if (localName(each) === name) return [each]
    return /^(?:sdt|sdtContent|customXml|ins|moveTo)$/.test(localName(each)) ? within(each, name) : []
  })
const isOn = (element: Element | undefined): boolean =>
  element !== undefined && !['0', 'false', 'off'].includes(attribute(element, 'val') ?? '')

/** Word draws no more columns: a file that says so would only fill the memory. */
const MOST_COLUMNS = 63
const columnsOf = (element: Element | undefined, least: 0 | 1): number => {
  const said = Math.trunc(Number((element && attribute(element, 'val')) ?? least))
  return Math.min(MOST_COLUMNS, Math.max(least, said || least))
}

/** @param paragraph gives the lines of one, in the order of the document: its lists are counted there */
export function tableOf(element: Element, paragraph: (element: Element) => string[]): Table {
  const table: Table = { rows: [], hasNested: false, isTracked: false, hasHidden: false }
  for (const row of within(element, 'tr')) {
    const properties = child(row, 'trPr')
    if (child(properties, 'del')) {
      table.isTracked = true
      continue
    }
    if (isOn(child(properties, 'hidden'))) {
      table.hasHidden = true
      continue
    }
    let column = columnsOf(child(properties, 'gridBefore'), 0)
    const cells = within(row, 'tc').map((cell): Cell => {
      const own = child(cell, 'tcPr')
      const merged = child(own, 'vMerge')
      const span = columnsOf(child(own, 'gridSpan'), 1)
      const goesOn = merged !== undefined && (attribute(merged, 'val') ?? 'continue') === 'continue'
      const made = { lines: contentOf(cell, paragraph, table), column, span, goesOn }
      column += span
      return made
    })
    table.rows.push(cells)
  }
  return table
}

function contentOf(of: Element, paragraph: (element: Element) => string[], table: Table): string[] {
  return childrenOf(of).flatMap((each) => {
    const name = localName(each)
    if (name === 'tbl') {
      table.hasNested = true
      const inner = tableOf(each, paragraph)
      return inner.rows.map((cells) => cells.map(({ lines }) => lines.join(' ')).join('  '))
    }
    if (name === 'p' || /oMath/.test(name) || name === 'AlternateContent') return paragraph(each)
    return /^(?:sdt|sdtContent|customXml|ins|moveTo)$/.test(name) ? contentOf(each, paragraph, table) : []
  })
}

const worded = (lines: readonly string[]): string[] => lines.filter((line) => line.trim() !== '')

/** Collects what stands aside in a table, for the line in which the table is. */
const asidesOf = (table: Table, held: Placeholders): string =>
  table.rows
    .flat()
    .flatMap(({ lines }) => lines)
    .flatMap((line) => Array.from(line.matchAll(/[\u{f0000}-\u{ffffd}]/gu), ([sign]) => sign))
    .filter((sign) => held.in(sign, 'note', 'problem').length > 0)
    .join('')

/** A table of data, as the stem shows it. */
export function htmlOf(table: Table, held: Placeholders): string {
  const rows = table.rows.map((cells, i) =>
    cells
      .filter(({ goesOn }) => !goesOn)
      .map((cell) => {
        const tall = tallness(table.rows, i, cell.column)
        const spans = (cell.span > 1 ? ` colspan="${cell.span}"` : '') + (tall > 1 ? ` rowspan="${tall}"` : '')
        return `<td${spans}>${held.html(worded(cell.lines).join('\n')).replaceAll('\n', '<br>')}</td>`
      })
      .join(''),
  )
  const html = `<table><tbody>${rows.map((cells) => `<tr>${cells}</tr>`).join('')}</tbody></table>`
  return held.add({ kind: 'table', html }) + asidesOf(table, held)
}
function tallness(rows: readonly Cell[][], from: number, column: number): number {
  let to = from + 1
  while (rows[to]?.some((cell) => cell.column === column && cell.goesOn)) to++
  return to - from
}

/** The same table for the reader of banks. What stands aside in a cell stays in its text. */
export function bankRows(table: Table, held: Placeholders): Row[] {
  const above: string[] = []
  return table.rows.map((cells, i) => {
    const width = Math.max(0, ...cells.map(({ column, span }) => column + span))
    const row: Row = { line: i + 1, cells: Array.from({ length: width }, () => ''), goesOn: [] }
    for (const { column, lines, goesOn } of cells) {
      if (goesOn) row.goesOn?.push(column)
      else above[column] = worded(lines).join('\n')
      row.cells[column] = above[column] ?? ''
    }
    row.plain = row.cells.map((cell) => (cell === '' ? '' : plainCell(cell, held)))
    return row
  })
}
/** Lines stay lines: those of answers and options are told apart by them. */
const plainCell = (cell: string, held: Placeholders): string =>
  cell
    .split('\n')
    .map((line) => plainText(held.peek(line)))
    .join('\n')

const OPTION = /^[（(]?([A-H])[)）]?\s?[.．、:：)）]/
/** Options in cells, each of which begins with its letter: in their order, whichever way they stand. Null: they are not all. */
function optionLines(table: Table, held: Placeholders): string[] | null {
  const cells = table.rows.flat().map(({ lines }) => worded(lines))
  const filled = cells.filter((lines) => lines.length > 0)
  const letters = filled.map(([line = '']) => OPTION.exec(held.words(line).trim())?.[1])
  if (filled.some((lines, i) => letters[i] === undefined || lines.slice(1).some((line) => OPTION.test(line.trim()))))
    return null
  const order = letters
    .map((letter = '') => letter)
    .toSorted((a, b) => a.localeCompare(b))
    .join('')
  if (filled.length < 2 || order !== 'ABCDEFGH'.slice(0, filled.length)) return null
  return letters
    .map((letter, i) => ({ letter: letter ?? '', lines: filled[i] ?? [] }))
    .toSorted((a, b) => a.letter.localeCompare(b.letter))
    .flatMap(({ lines }) => lines)
}

const NUMBERED = /^\d{1,3}\s*[.．、]\s*\S/
/** A table that only sets what stands beside each other: its rows as lines. Null: it is one of data. */
export function layoutLines(table: Table, held: Placeholders): string[] | null {
  const options = optionLines(table, held)
  if (options) return options
  const lines = table.rows.flatMap((cells) => cells.flatMap((cell) => worded(cell.lines)))
  const columns = Math.max(
    0,
    ...table.rows.map((cells) => cells.filter((cell) => worded(cell.lines).length > 0).length),
  )
  const marks = lines.flatMap((line) => OPTION.exec(line.trim())?.[1] ?? [])
  if (columns > 1 && !marks.includes('A')) return null
  const rows = table.rows.flatMap((cells) => {
    const filled = cells.filter(({ goesOn }) => !goesOn).map((cell) => worded(cell.lines))
    return filled.every(({ length }) => length <= 1) ? [filled.flat().join('  ')] : filled.flat()
  })
  // Letters that do not run on as the rows do could be put to the wrong texts.
  const isOutOfOrder = marks.some(
    (letter, i) => i > 0 && letter !== 'A' && letter.charCodeAt(0) !== (marks[i - 1] ?? '').charCodeAt(0) + 1,
  )
  const unclear = isOutOfOrder
    ? held.add({ kind: 'problem', reason: '表格里的选项不是按行排列的，读不出次序：请把选项写在表格外，一个一行' })
    : ''
  return rows.map((line, i) => (i === rows.length - 1 ? line + unclear : line))
}
/** Tells whether a table of data looks as if it held questions. */
export const seemsToAsk = (table: Table): boolean =>
  table.rows.flat().filter(({ lines }) => lines.some((line) => NUMBERED.test(line.trim()))).length > 1

const wordsOf = (cell: Cell, held: Placeholders): string => held.words(cell.lines.join('')).replaceAll(/\s/g, '')
const NUMBER_NAMES = /^(?:题号|题目|序号|小题|题次)$/
const ANSWER_NAMES = /^(?:参考|正确|标准)?答案$|^选项$/
/** A table of 题号 and 答案, upright or lying: the numbers with their answers, some empty. Null: it is none. */
export function answersOf(table: Table, held: Placeholders): [number: string, answer: string][] | null {
  const words = table.rows.map((cells) => cells.map((cell) => wordsOf(cell, held)))
  const [head = []] = words
  const isLying =
    words.length > 1 &&
    words.length % 2 === 0 &&
    words.every(([first = ''], i) => (i % 2 === 0 ? NUMBER_NAMES : ANSWER_NAMES).test(first))
  if (isLying)
    return words.flatMap((numbers, i) =>
      i % 2 === 1 ? [] : numbers.slice(1).map((number, at): [string, string] => [number, words[i + 1]?.[at + 1] ?? '']),
    )
  const isUpright = head.length === 2 && NUMBER_NAMES.test(head[0] ?? '') && ANSWER_NAMES.test(head[1] ?? '')
  return isUpright ? words.slice(1).map(([number = '', answer = '']): [string, string] => [number, answer]) : null
}

const SCORING =
  /^(?:题号|得分|分数|分值|总分|满分|评卷人|阅卷人|复核人|核分人|评分人|登分人|合计|[一二三四五六七八九十]|\d{1,3})?$/
/** Boxes in which marks are written. */
export const isForMarks = (table: Table, held: Placeholders): boolean => {
  const words = table.rows.flat().map((cell) => wordsOf(cell, held))
  return words.every((each) => SCORING.test(each)) && words.some((each) => /得分|评卷|阅卷|核分|总分|登分/.test(each))
}
