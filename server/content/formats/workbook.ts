import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Unzip, type UnzipFile, UnzipInflate, UnzipPassThrough } from 'fflate'
import { FileFault } from '#server/content/draft.ts'
import { refuseLarge } from './fileText.ts'

/** A sheet as it was read: one array of cells for each row. */
export interface Sheet {
  sheet: string
  data: unknown[][]
}

const MB = 1024 * 1024
/** A workbook of so many MB holds 140,000 questions, which take 1.5 GB of memory. */
const MOST_PACKED = 32
/** Sheets of questions unpack to ten times their size. A few kilobytes that unpack to gigabytes are no questions. */
const MOST_UNPACKED = { bytes: 64 * MB, times: 25 }
/** A spreadsheet has no more rows. */
const LAST_ROW = 1_048_576
/** The reader fills the whole area up to the last cell, and a single one far away would need all memory there is. */
const MOST_CELLS = 10_000_000

/** @throws FileFault when it is no workbook, or one that memory does not hold */
export async function readSheets(file: string): Promise<Sheet[]> {
  await refuseLarge(file, MOST_PACKED)
  await refuseBomb(file)
  const { default: read } = await import('read-excel-file/node')
  return read(file).catch((error: unknown) => {
    throw noWorkbook(error)
  })
}

const noWorkbook = (cause: unknown): FileFault => new FileFault('不是有效的 XLSX：打不开，或里面没有内容', { cause })

/** Unpacks it piece by piece and keeps nothing: what it says of its own sizes need not be so. */
async function refuseBomb(file: string): Promise<void> {
  const { size } = await stat(file)
  const most = Math.max(MOST_UNPACKED.bytes, MOST_UNPACKED.times * size)
  let total = 0
  let fault: unknown = null
  const unzip = new Unzip((entry) => {
    const look = entry.name.startsWith('xl/worksheets/') ? areaOf() : () => {}
    follow(entry, (data) => {
      total += data.length
      if (total > most) throw new FileFault(`表格解开后超过 ${Math.round(most / MB)} MB：请分成几个文件，或改用 .csv`)
      look(data)
    })
  })
  function follow(entry: UnzipFile, take: (data: Uint8Array) => void): void {
    entry.ondata = (error, data) => {
      fault ??= error
      if (fault) return
      try {
        take(data)
      } catch (caught) {
        fault = caught
      }
    }
    entry.start()
  }
  unzip.register(UnzipPassThrough)
  unzip.register(UnzipInflate)
  try {
    for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
      unzip.push(bytes)
      if (fault) break
    }
  } catch (error) {
    throw noWorkbook(error)
  }
  if (fault) throw fault instanceof FileFault ? fault : noWorkbook(fault)
}

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
      columns = Math.max(columns, columnOf(letters))
      if (rows * columns > MOST_CELLS)
        throw new FileFault(`表格太大：内容一直到第 ${rows} 行、第 ${columns} 列；请删去远处的单元格，或改用 .csv`)
    }
    rest = text.slice(Math.max(read, text.length - LONGEST_TAG))
  }
}

/** A is 1, AA is 27. */
const columnOf = (letters: string): number =>
  Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
