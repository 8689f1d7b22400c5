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
import { lockedPdf, makePdf } from '#tests/support/pdf.ts'

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

test.each([
  ['with a password', lockedPdf, '有打开密码'],
  ['that is cut short', () => makePdf({ pages: ['Hello'] }).slice(0, 300), '不是有效的 PDF'],
  ['that is none', () => Buffer.from('1．甲（ ）\nA．甲 B．乙\n答案：A'), '不是有效的 PDF'],
  ['without a question', () => makePdf({ pages: ['Hello'] }), '认不出题目'],
  ['of too many pages', () => makePdf({ pages: Array.from({ length: 601 }, () => 'Hello') }), '有 601 页，最多 600 页'],
  ['that inflates to gigabytes', inflatingPdf, '太大或太复杂'],
  ['that is deflated twice', nestedPdf, '太大或太复杂'],
  ['that draws a million lines', () => busyPdf(1_000_000), '太大或太复杂'],
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
