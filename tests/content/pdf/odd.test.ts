import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  coloured,
  lines,
  picture,
  readPages as read,
  readPdfBytes,
  text,
  turned,
  unseen,
} from '#tests/support/paperPdf.ts'
import { readPages } from '#server/content/formats/pdf/pages.ts'
import { busyPdf, inflatingPdf, nestedPdf, wordyPdf } from '#tests/support/pdfBombs.ts'
import { lockedPdf, makePdf, pdfOf } from '#tests/support/pdf.ts'

const QUESTION = ['1．甲是（  ）', 'A．甲    B．乙', '答案：A']

test('a watermark, a margin to be sealed and hidden text are left out and told', async () => {
  const { questions, findings } = await read([
    turned(100, 300, '内部资料') +
      lines(QUESTION) +
      coloured(0.85, text(60, 500, '浅色水印')) +
      coloured(1, text(60, 480, '答案是乙')),
  ])
  expect(questions).toHaveLength(1)
  expect(findings).toEqual([
    'warning 文件 斜排、竖排的文字（水印、密封线）没有导入：“内部资料”',
    'warning 文件 颜色很浅、看不清的文字（水印）没有导入：“浅色水印答案是乙”',
  ])
})

test('a logo on each page and a ground behind a page are left out and told', async () => {
  const page = (number: number) =>
    picture(400, 790, 60, 30) + lines([`${number}．甲${number}是（  ）`, 'A．甲    B．乙', '答案：A'])
  const { questions, findings } = await read([page(1) + picture(0, 0, 595, 842), page(2)])
  expect(questions.map(({ stem }) => stem)).toEqual(['甲1是（  ）', '甲2是（  ）'])
  expect(findings).toEqual(['warning 文件 每页同一处的图片（校徽等）、铺满整页的图片没有导入'])
})

test('a scan is refused with what to do, its recognised text is read and told, and one page of it is a fault', async () => {
  const scan = picture(0, 0, 595, 842)
  expect((await read([scan, scan])).findings).toEqual([
    'fault 文件 这个 PDF 没有文字，是扫描或拍照的图片：请先识别成文字（WPS、Word 或扫描软件的“OCR”），核对后存成 .docx 再导入',
  ])
  const recognised = await read([scan + unseen(lines(QUESTION))])
  expect(recognised.questions).toHaveLength(1)
  expect(recognised.findings).toEqual(['warning 文件 第1页的文字是从扫描的图片里识别出来的，会有错字：请逐题核对'])
  expect((await read([lines(QUESTION), scan])).findings).toEqual([expect.stringMatching(/^fault 第2页 这一页没有文字/)])
})

/** A font whose glyphs have numbers and no names, as some programs embed it. */
const nameless = (): Uint8Array => {
  const codes = Array.from({ length: 60 }, (_, i) => (0x0e10 + 37 * i).toString(16).padStart(4, '0')).join('')
  const content = `BT /F1 12 Tf 60 700 Td <${codes}> Tj ET`
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 595 842] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /Nameless /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Nameless /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /Nameless /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >> >>',
  ])
}

const withForm = (form: string): Uint8Array =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.launchURL\\("http://127.0.0.1:9/"\\)) >> >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 595 842] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>',
    '<< /Length 5 >>\nstream\n/X Do\nendstream',
    form,
  ])
const RESOURCES = '/Resources << /XObject << /X 5 0 R >> >>'

test.each([
  ['with a password', lockedPdf, '有打开密码'],
  ['that is cut short', () => makePdf({ pages: ['Hello'] }).slice(0, 300), '不是有效的 PDF'],
  ['that is none', () => Buffer.from('1．甲（ ）\nA．甲 B．乙\n答案：A'), '不是有效的 PDF'],
  ['without a question', () => makePdf({ pages: ['Hello'] }), '认不出题目'],
  ['whose font does not say which characters it has', nameless, '乱码'],
  ['of too many pages', () => makePdf({ pages: Array.from({ length: 601 }, () => 'Hello') }), '有 601 页，最多 600 页'],
  ['that inflates to gigabytes', inflatingPdf, '太大或太复杂'],
  ['that is deflated twice', nestedPdf, '太大或太复杂'],
  ['that draws more lines than a page has', () => busyPdf(300_000), '太大或太复杂'],
  [
    'whose form draws itself',
    () =>
      withForm(`<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] ${RESOURCES} /Length 5 >>\nstream\n/X Do\nendstream`),
    '里没有文字：请',
  ],
  [
    'whose form draws itself twice each time',
    () =>
      withForm(
        `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] ${RESOURCES} /Length 11 >>\nstream\n/X Do /X Do\nendstream`,
      ),
    '里没有文字：请',
  ],
  ['of more pieces of text than a page has', () => wordyPdf(20_000), '太零碎'],
])('a file %s is refused in words that say what to do', async (_, make, reason) => {
  const { questions, findings } = await readPdfBytes(make())
  expect(questions).toEqual([])
  expect(findings).toEqual([expect.stringMatching(new RegExp(`^fault 文件 .*${reason}`))])
})

test('a page that takes too long ends the reading', async () => {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'lijian-late-')), 'late.pdf')
  writeFileSync(file, makePdf({ pages: ['Hello'] }))
  await expect(readPages(file, () => {}, undefined, { pageMs: 1 })).rejects.toThrow('太大或太复杂')
})
