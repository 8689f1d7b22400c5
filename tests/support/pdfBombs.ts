import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { pdfOf } from './pdf.ts'

/** Documents that ask a reader for more than any phone has. They are small themselves. */

const BLOCK = 16 * 1024 * 1024
const ADLER = 65_521

/** A zlib stream of so many zeros, without inflating anything here: one block of them, again and again. */
function zeros(bytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(BLOCK), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE((bytes % ADLER) * 65_536 + 1)
  const blocks = Array.from({ length: bytes / BLOCK }, () => block)
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...blocks, Buffer.from([3, 0]), checksum])
}

const stream = (head: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<< ${head} /Length ${body.length} >>\nstream\n`), body, Buffer.from('\nendstream')])

interface Sheet {
  /** Objects that follow the page's; the first is its content. */
  objects: readonly (string | Buffer)[]
  resources?: string
  box?: string
}
/** One page, whose content is object 4; object 5 writes in Helvetica. */
const onePage = ({ objects, resources = '', box = '0 0 595 842' }: Sheet) =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> >>`,
    objects[0] ?? '',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...objects.slice(1),
  ])

const FLATE = '/Filter /FlateDecode'
const HELLO = stream('', Buffer.from('BT /F1 24 Tf 60 700 Td (Hello) Tj ET'))

/** A file of two megabytes whose page is two gigabytes of nothing. */
export const inflatingPdf = () => onePage({ objects: [stream(FLATE, zeros(2 * 1024 ** 3))] })
/** The same, deflated once more: a few kilobytes. */
export const nestedPdf = () =>
  onePage({ objects: [stream('/Filter [/FlateDecode /FlateDecode]', deflateSync(zeros(2 * 1024 ** 3)))] })
/** A page with this many things to be drawn. */
export const busyPdf = (count: number) =>
  onePage({ objects: [stream(FLATE, deflateSync(Buffer.from('0 0 m 9 9 l S\n'.repeat(count))))] })
/** A page with this many pieces of text, of which no two stand in one line. */
export const wordyPdf = (count: number) => {
  const word = (_: unknown, i: number) => `1 0 0 1 ${(i * 37) % 500} ${(i * 91) % 800} Tm (a) Tj\n`
  const all = Array.from({ length: 1000 }, word)
    .join('')
    .repeat(count / 1000)
  return onePage({ objects: [stream(FLATE, deflateSync(Buffer.from(`BT /F1 9 Tf\n${all}ET`)))] })
}
/** Points. */
export const widePdf = (width: number, height: number) =>
  onePage({
    objects: [stream('', Buffer.from(`0 0 ${width} ${height} re f BT /F1 24 Tf 60 5 Td (Hello) Tj ET`))],
    box: `0 0 ${width} ${height}`,
  })
/** A page of pictures, each of so many pixels in gray, one file for all of them. */
export function picturesPdf(count: number, side: number): Uint8Array<ArrayBuffer> {
  const picture = stream(
    `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8 ${FLATE}`,
    deflateSync(Buffer.alloc(side * side * 3, 0x40)),
  )
  const names = Array.from({ length: count }, (_, i) => `/I${i} ${6 + i} 0 R`).join(' ')
  const shown = Array.from({ length: count }, (_, i) => `q 595 0 0 842 0 0 cm /I${i} Do Q`).join('\n')
  return onePage({
    objects: [stream('', Buffer.from(shown)), ...Array.from({ length: count }, () => picture)],
    resources: `/XObject << ${names} >>`,
  })
}
/** A document whose second page is too much; its first says Hello. */
export const secondPagePdf = (count: number) =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] /MediaBox [0 0 595 842] /Resources << /Font << /F1 7 0 R >> >> >>',
    '<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>',
    '<< /Type /Page /Parent 2 0 R /Contents 6 0 R >>',
    HELLO,
    stream(FLATE, deflateSync(Buffer.from('0 0 m 9 9 l S\n'.repeat(count)))),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ])
/**
 * A document of so many pages that say Hello, and a last one that shows a picture many times over, each time as another one.
 * @param picture a JPEG in colour, `side` × `side` pixels
 */
export function lastPagePdf(pages: number, count: number, picture: Buffer, side: number): Uint8Array<ArrayBuffer> {
  // Catalogue, pages, font and Hello stand before them; then the pages, and what the last one shows.
  const last = 5 + pages
  const names = Array.from({ length: count }, (_, i) => `/I${i} ${last + 2 + i} 0 R`).join(' ')
  const shown = Array.from({ length: count }, (_, i) => `q 595 0 0 842 0 0 cm /I${i} Do Q`).join('\n')
  const kids = Array.from({ length: pages + 1 }, (_, i) => `${5 + i} 0 R`).join(' ')
  const image = stream(
    `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
    picture,
  )
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages + 1} /Kids [${kids}] /MediaBox [0 0 595 842] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    HELLO,
    ...Array.from(
      { length: pages },
      () => '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    ),
    `<< /Type /Page /Parent 2 0 R /Contents ${last + 1} 0 R /Resources << /XObject << ${names} >> >> >>`,
    stream('', Buffer.from(shown)),
    ...Array.from({ length: count }, () => image),
  ])
}
