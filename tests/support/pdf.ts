import { inflateSync } from 'node:zlib'
import iconv from 'iconv-lite'

interface PdfOptions {
  /** What stands on each page. */
  pages: readonly string[]
  title?: string
  /** Chinese in a font that is not in the file, named by its character map: GBK, as old programs of China write it. */
  chinese?: boolean
  /** Where a link over the first page's text leads. */
  link?: string
}

/** A small valid PDF file, by hand: what a test needs and nothing else. */
export function makePdf({ pages, title = '', chinese = false, link }: PdfOptions): Uint8Array<ArrayBuffer> {
  const objects: string[] = []
  const add = (text: string): number => objects.push(text)
  // 1 and 2 are known before what they name.
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add('')
  const font = add(chinese ? STSONG : '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  if (chinese) add(DESCENDANT)
  const kids = pages.map((text, i) => {
    const shown = chinese ? `<${iconv.encode(text, 'gbk').toString('hex')}>` : `(${text})`
    const content = `BT /F1 24 Tf 60 700 Td ${shown} Tj ET`
    const stream = add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
    const annotation =
      link && i === 0
        ? ` /Annots [<< /Type /Annot /Subtype /Link /Rect [60 690 400 730] /A << /S /URI /URI (${link}) >> >>]`
        : ''
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 ${font} 0 R >> >> /Contents ${stream} 0 R${annotation} >>`,
    )
  })
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`
  const info = add(`<< /Title (${title}) >>`)
  return assemble(objects, info)
}

const STSONG = '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /GBK-EUC-H /DescendantFonts [4 0 R] >>'
const DESCENDANT =
  '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >> >>'

function assemble(objects: readonly string[], info: number): Uint8Array<ArrayBuffer> {
  return pdfOf(objects, `/Info ${info} 0 R`)
}

/** A file of these objects, numbered from 1; the first is its catalogue. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Uint8Array<ArrayBuffer> {
  const pieces: Buffer[] = []
  let length = 0
  const add = (piece: string | Buffer) => {
    const bytes = Buffer.from(piece)
    pieces.push(bytes)
    length += bytes.length
  }
  add('%PDF-1.4\n')
  const offsets = objects.map((object, i) => {
    const at = length
    add(`${i + 1} 0 obj\n`)
    add(object)
    add('\nendobj\n')
    return at
  })
  const start = length
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`)
  for (const at of offsets) add(`${String(at).padStart(10, '0')} 00000 n \n`)
  add(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`)
  return new Uint8Array(Buffer.concat(pieces))
}

/**
 * A book as a copier scans it: each page is one picture, with its words where nobody sees them, so that they are found.
 * @param pictures JPEG files of A4 in grey, `width` × `height` pixels, which the pages show in turn
 */
export function scannedPdf(
  pages: readonly string[],
  { pictures, width, height }: { pictures: readonly Buffer[]; width: number; height: number },
): Uint8Array<ArrayBuffer> {
  const stream = (head: string, body: Buffer) =>
    Buffer.concat([Buffer.from(`<< ${head} /Length ${body.length} >>\nstream\n`), body, Buffer.from('\nendstream')])
  // Catalogue, pages and font stand before them; each page is itself, what it draws, and its own picture.
  const idOf = (i: number): number => 4 + i * 3
  const kids = pages.map((_, i) => `${idOf(i)} 0 R`).join(' ')
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] /MediaBox [0 0 595 842] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, i) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${idOf(i) + 1} 0 R /Resources << /Font << /F1 3 0 R >> /XObject << /P ${idOf(i) + 2} 0 R >> >> >>`,
      stream('', Buffer.from(`q 595 0 0 842 0 0 cm /P Do Q BT 3 Tr /F1 24 Tf 60 700 Td (${text}) Tj ET`)),
      stream(
        `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode`,
        pictures[i % pictures.length] ?? Buffer.alloc(0),
      ),
    ]),
  ])
}

export const PASSWORD = 'lijian'
/** One page that says SECRET PLAN, behind PASSWORD; made with Ghostscript. */
export const lockedPdf = (): Buffer => inflateSync(Buffer.from(LOCKED, 'base64'))
const LOCKED = [
  'eNqtVl2IG1UUrqVKGeiDvvikXlaX2Uond+5MJsnEnWyz+eku3eyGZLcu3ak4O3OTHXcyM525abLrgoovKv4UkSLtW18EHxRRlOJD6YvFBwV9EH',
  'xyhUIVhNInbUH0zCTZbLOlFmzIwL3nnO+755x77j13vFosCySR5Mav/vHeRW58fNY945kGsz03i5ohEk4jwZpfqOaX6iUYTecXCzNICIulE7OF',
  'kuZbjU5gMwqagtfyAbZqOzbbmKNnqKMBLShKrhls+BFhTZNhfpyC2m2yNY1IGaBa6Lg0qBph2PECS5sCyVI4IlhoM7/NyrZDYTrFKUhE3upL3O',
  'Qk7jGhFEhqGAwYDRAuOwajRWp6Fs3luJAF1GhxH3y78Un4yMWnVve9+es736hXfzj0W+LhX7bHq/t9+9BN9vjs+x89caHpXD/w3YePXto+++Xp',
  'Wy9/RaxXtv7cfy1/5UfvaP3zxrPPfFZWFt647Z1/svvXzdCjrtUnh1HkUKrvWEYeSJJDVxc3fIqrRpPiCrVsY9rrohUR1IqqoExSOsXhmsfAcS',
  'SCVUBdhuQoKhDT0GsHJg2BpBp4Zp2yFQzbhvAi7TLAlT0wzsTGEC8uwBTgIVIGor4z8o4zKPYGxe6ECB+3rRCtxM7WuFMIGNrASHZByZ1xgInB',
  'DMdrDij6rlYoMyzQIHVk6cwQX0tz6Ug7VKaHymkjpFE4eIY6ZyizTaOXt0jG4Xp7lUWzSESGeHUkyQMvhoDlytygVAhJy7lcf98mp7q+Ya5Thl',
  'Zp03Y1/sbXl3lkWxr/vFIRK36BrtkzmwGtb84vmpvrpmrxUzlAGbAuFbqGLzTimgsRDU1trFCbK49FBt1st+W3wA3UbTlumO1qfAzJwjgSYx7F',
  'Jmxd45crVcQ8z1m3GZISaoIIRD6CGoHRonAA1hFJpHigDKxGtgab3iOEmcavMeZnMe50OomOnPCCJiaqqmJRwpIkgIUQbrjM6Apu+DTfx9nLOz',
  'A3TMQ+JUyvhe1lTBIiHixUhHACOz60KJobq16baWNjfRZ/1+p30IACeGQID0ZZKFarbdJA449V59CxNS9kPVpExIQIfx7f33qQqbuvBzvQ93sS',
  'bLIVz7IbG0U4RDlJlFICIYIkLYqprEKyonRyEo8YcTGqAKUA98W9UbuMdqG8YBF2Lrfkrrtex837vmP37s5doL7NJB4J9D5DN/xK5d7Bt1pROU',
  'V22aJntltw9meLGt9u21bWIKqVJASCoooFkTUsQYSfkDYsVV011SRpmPe7C5a544ffDpy44CwTU4dGS4bgCwFHLDPb8IKWwaDkh/mIKgM2CZTM',
  'Zg7NxevlHdYbOHa0RNYx3KbGdwWLNoy2w3jIa2xt9XLn2P0kxjg85LpLZnH/uETDncOY49AD+j04ouENBJeZxnei+2VPX5GGF9zgTE0c1yVJ0k',
  'VZhi+ly/BJBD45CXMRPkXXX9QbzZwuKUpel9Pi1kldTqaOAEzW5ZR0GBpFVJ6Qr6iqJ2YiG6qLEYkCFpKoy1D9KxGVPPOcTtJpXVZIPcJvFYGB',
  'ABVRgFMBKjhU/5sllxs0G3EY76Cn15nhWkZgIXwCSWjnMocXBK5B98FVlJTUpJpKSyqoF9DEY5feLl7RJ6h9nZ51PrWuTZ+fQz/9fu7vG+dyF6',
  'qv3tp+HbxeQhPq9vdb+sTYuwe+WH7t56PZjw/qE5fnX5hvv5W39s2f+Of2QwcPDxtNN6ANToQWwok7P5RSFFlBDTSQKQo0y1jjDmREVdKjMjEJ',
  'jo7K5L1YkWTEvXayvEeWSib3yoiyR5YWM6MyiaipoYwFBry0gviZULc3KcQLSfY8uLajvo3wrNvwkNTr+LNFtDJZKqXLSnq6XCiU1Ol8US2pyV',
  'JZTMn5dKacEcul3H9bwDOm/1BE8fbXUPx0MwIWJx3qWoXHaWmhzP0LVJEwTQ==',
].join('')
