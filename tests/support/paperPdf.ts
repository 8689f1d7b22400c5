import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from './library.ts'
import { pdfOf } from './pdf.ts'

/** These are drawn on a page of A4; lengths are points, from its lower left corner. */
export const text = (x: number, y: number, words: string, size = 12): string =>
  `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm <${hex(words)}> Tj ET\n`
export const turned = (x: number, y: number, words: string): string =>
  `BT /F1 40 Tf 0.7 0.7 -0.7 0.7 ${x} ${y} Tm <${hex(words)}> Tj ET\n`
export const coloured = (grey: number, drawn: string): string => `q ${grey} g ${drawn} Q\n`
export const unseen = (drawn: string): string => `q 3 Tr ${drawn} Q\n`
export const line = (x: number, y: number, u: number, v: number): string => `${x} ${y} m ${u} ${v} l S\n`
export const picture = (x: number, y: number, width: number, height: number): string =>
  `q ${width} 0 0 ${height} ${x} ${y} cm /P Do Q\n`
export const curve = (x: number, y: number, size: number): string =>
  `${x} ${y} m ${x + size} ${y} ${x + size} ${y + size} ${x} ${y + size} c S\n`
const hex = (words: string): string => iconv.encode(words, 'gbk').toString('hex')

/** Points that a text takes: Chinese characters are square, others half of it. */
export const widthOf = (words: string, size = 12): number =>
  Array.from(words, (each) => (each.charCodeAt(0) > 0xff ? size : size / 2)).reduce((sum, each) => sum + each, 0)

/** Lines of text from the top of a page on. */
export const lines = (all: readonly string[], { x = 60, top = 780, pitch = 20, size = 12 } = {}): string =>
  all.map((each, i) => (each === '' ? '' : text(x, top - i * pitch, each, size))).join('')

/** A grid of cells with a text in each. */
export function grid(
  rows: readonly (readonly string[])[],
  { x = 60, top = 700, width = 80, height = 24 } = {},
): string {
  const [across, down] = [Math.max(...rows.map(({ length }) => length)), rows.length]
  const lying = Array.from({ length: down + 1 }, (_, i) =>
    line(x, top - i * height, x + across * width, top - i * height),
  )
  const standing = Array.from({ length: across + 1 }, (_, i) =>
    line(x + i * width, top, x + i * width, top - down * height),
  )
  const cells = rows.flatMap((cell, r) => cell.map((each, c) => text(x + c * width + 6, top - r * height - 16, each)))
  return [...lying, ...standing, ...cells].join('')
}

const FONT = [
  '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /GBK-EUC-H /DescendantFonts [4 0 R] >>',
  '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /DW 1000 /W [814 [' +
    '500 '.repeat(95) +
    '] 7716 [500]] /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >> >>',
]
const stream = (head: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<< ${head} /Length ${body.length} >>\nstream\n`), body, Buffer.from('\nendstream')])
/** Red above blue, so that it is seen when it stands upside down. */
const PICTURE = stream(
  '/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceRGB /BitsPerComponent 8',
  Buffer.from([255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255]),
)

/** A file of pages of A4, in a Chinese font that is not in the file, as old programs write it. */
export function paperPdf(pages: readonly string[]): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_, i) => `${6 + 2 * i} 0 R`).join(' ')
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> /XObject << /P 5 0 R >> >> >>`,
    ...FONT,
    PICTURE,
    ...pages.flatMap((content, i) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${7 + 2 * i} 0 R >>`,
      stream('/Filter /FlateDecode', deflateSync(Buffer.from(content))),
    ]),
  ])
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-pdfs-'))
let files = 0
/** Checks a document as an operator has it in a file. Returns its questions, and what is told of them besides a missing analysis. */
export async function readPdfBytes(bytes: Uint8Array) {
  const file = path.join(folder, `${++files}.pdf`)
  writeFileSync(file, bytes)
  const { placed, findings, pictures } = await checkFile(file, foreignLibrary('W'))
  return {
    questions: placed.map(({ question }) => question),
    pictures,
    findings: findings
      .filter(({ reason }) => reason !== '没有解析')
      .map(({ level, at, reason }) => `${level} ${at} ${reason}`),
  }
}
export const readPages = (pages: readonly string[]) => readPdfBytes(paperPdf(pages))
