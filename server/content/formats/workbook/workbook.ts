import { readFile } from 'node:fs/promises'
import { FileFault } from '#server/content/draft.ts'
import { refuseBomb } from '../office/bomb.ts'
import { attribute, childrenOf, partsOf } from '../office/parts.ts'
import { looksIn, runsOf, type Shown } from './cellText.ts'
import { refuseLarge } from '../fileText.ts'
import { columnAt, readSheet, type Sheet } from './sheet.ts'
import { cellPictures } from './sheetPictures.ts'

interface Workbook {
  sheets: Sheet[]
  /** Names of sheets that are hidden and were left out. */
  hidden: string[]
  /** Finds a picture by the name that cells have for it. */
  picture: (source: string) => Uint8Array | null
}

/** A workbook of so many MB holds 140,000 questions, which take 1.5 GB of memory. */
const MOST_PACKED = 32
/** A spreadsheet has no more rows. */
const LAST_ROW = 1_048_576
/** Rows are as long as their last cell is far away: a few of them would need all memory there is. */
const MOST_CELLS = 10_000_000

/**
 * Reads what the sheets show.
 * @param withHidden sheets, rows and columns that are hidden are read as well
 * @throws FileFault when it is no workbook, or one that memory does not hold
 */
export async function readWorkbook(file: string, withHidden: boolean): Promise<Workbook> {
  await refuseLarge(file, MOST_PACKED)
  await refuseBomb(file, {
    invalid: noWorkbook,
    tooLarge: (most) => `表格解开后超过 ${most}：请分成几个文件，或改用 .csv`,
    look: (part) => (part.startsWith('xl/worksheets/') ? areaOf() : () => {}),
  })
  try {
    return read(await readFile(file), withHidden)
  } catch (error) {
    throw noWorkbook(error)
  }
}

function read(zip: Uint8Array, withHidden: boolean): Workbook {
  const parts = partsOf(zip)
  const targets = parts.relations('xl/workbook.xml')
  const strings: Shown[] = []
  parts.each('xl/sharedStrings.xml', ['si'], (item) => strings.push(runsOf(item)))
  let is1904 = false
  const named: { name: string; part: string; isHidden: boolean }[] = []
  parts.each('xl/workbook.xml', ['workbookPr', 'sheets'], (element) => {
    is1904 ||= ['1', 'true'].includes(attribute(element, 'date1904') ?? '')
    for (const each of childrenOf(element, 'sheet')) {
      const [name = '', id = '', state = 'visible'] = ['name', 'id', 'state'].map((of) => attribute(each, of))
      named.push({ name, part: targets.get(id) ?? '', isHidden: state !== 'visible' })
    }
  })
  if (named.length === 0) throw new FileFault('no sheets')
  const book = { parts, strings, lookOf: looksIn(parts), is1904, pictures: cellPictures(parts) }
  const [hidden, shown] = [true, false].map((which) =>
    named.filter(({ isHidden }) => (isHidden && !withHidden) === which),
  )
  return {
    sheets: (shown ?? []).map(({ name, part }) => readSheet(book, name, part, withHidden)),
    hidden: (hidden ?? []).map(({ name }) => name),
    picture: parts.bytes,
  }
}

const noWorkbook = (cause: unknown): FileFault => new FileFault('不是有效的 XLSX：打不开，或里面没有内容', { cause })

const CELL = /<(?:\w+:)?(row|c)\b([^>]*)>/g
/** No tag of a row or a cell is longer. */
const LONGEST_TAG = 1_000

/** Follows a sheet's XML, in pieces: how far its rows and its filled cells reach. */
function areaOf(): (data: Uint8Array) => void {
  const decoder = new TextDecoder('latin1')
  let rest = ''
  let [rows, columns] = [0, 0]
  return (data) => {
    const text = rest + decoder.decode(data)
    let read = 0
    for (const { 0: tag, 1: kind, 2: attributes = '', index } of text.matchAll(CELL)) {
      read = index + tag.length
      const [, letters = '', row = ''] = /\sr=["']([A-Z]*)(\d+)["']/.exec(attributes) ?? []
      if (Number(row) > LAST_ROW) throw new FileFault(`表格有第 ${row} 行：不是有效的 XLSX`)
      // An empty cell has no more than its look.
      if (kind === 'row' || attributes.endsWith('/')) continue
      rows = Math.max(rows, Number(row))
      columns = Math.max(columns, columnAt(letters) + 1)
      if (rows * columns > MOST_CELLS)
        throw new FileFault(`表格太大：内容一直到第 ${rows} 行、第 ${columns} 列；请删去远处的单元格，或改用 .csv`)
    }
    rest = text.slice(Math.max(read, text.length - LONGEST_TAG))
  }
}
