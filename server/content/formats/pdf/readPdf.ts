import { FileFault, type Intake } from '#server/content/draft.ts'
import type { Headers } from '../tableHead.ts'
import { takeDocument } from '../word/readDocument.ts'
import { TooMuchHeld } from '../word/placeholders.ts'
import { DocumentText } from './documentText.ts'
import { bodiesOf } from './margins.ts'
import { type Page } from './page.ts'
import { type Pages, readPages } from './pages.ts'
import { isStrange } from './strange.ts'

interface With {
  headers: Headers
  unused: (name: string) => void
  counted?: ((done: number, all: number) => void) | undefined
}

/**
 * Questions of a PDF whose text can be marked with a mouse: it is read as a paper.
 * @throws FileFault
 */
export async function readPdf(file: string, intake: Intake, { headers, unused, counted }: With): Promise<void> {
  const read = await readPages(file, (name, bytes) => intake.picture(name, bytes), counted)
  refuseUnreadable(read)
  tellOfPages(read, intake)
  const { bodies, left, hasLogos } = bodiesOf(read.pages)
  if (left.length > 0) intake.report('warning', '文件', `页眉、页脚、页码没有导入：${quoted(left)}`)
  if (hasLogos) intake.report('warning', '文件', '每页同一处的图片（校徽等）、铺满整页的图片没有导入')
  try {
    await takeDocument(new DocumentText(bodies, headers).read(), file, intake, { headers, unused })
  } catch (error) {
    if (error instanceof TooMuchHeld) throw new FileFault('文件里的图片、表格太多：请分成几个文件', { cause: error })
    throw error
  }
}

const SCANNED = '没有文字，是扫描或拍照的图片：请先识别成文字（WPS、Word 或扫描软件的“OCR”），核对后存成 .docx 再导入'
/** So much of a text may be strange: a foreign word, a sign of a font. */
const MOST_STRANGE = 0.1

function refuseUnreadable({ pages, broken }: Pages): void {
  const glyphs = pages.flatMap((page) => page.glyphs)
  const seen = glyphs.filter(({ text }) => text.trim() !== '')
  if (seen.length === 0) {
    if (pages.length === 0 && broken.length > 0) throw new FileFault('每一页都读不出，文件可能已损坏：请重新导出成 PDF')
    throw new FileFault(
      pages.some(({ pictures }) => pictures.length > 0)
        ? `这个 PDF ${SCANNED}`
        : '这个 PDF 里没有文字：请核对原文件，重新导出成 PDF',
    )
  }
  const strange = seen.filter(isStrange).length
  if (strange > MOST_STRANGE * seen.length)
    throw new FileFault(
      '字体没有说明每个字是什么字，读出来是乱码：请在原文件里换成常用字体（宋体、黑体）重新导出 PDF，或导入 .docx',
    )
}

/** Tells what is not read of pages, and why. */
function tellOfPages({ pages, broken }: Pages, intake: Intake): void {
  for (const number of broken) intake.report('fault', `第${number}页`, '这一页读不出，可能已损坏：请重新导出成 PDF')
  for (const page of pages) if (isScan(page)) intake.report('fault', `第${page.number}页`, `这一页${SCANNED}`)
  const recognised = pages.filter(({ isRecognised }) => isRecognised)
  if (recognised.length > 0)
    intake.report(
      'warning',
      '文件',
      `第${recognised.map(({ number }) => number).join('、')}页的文字是从扫描的图片里识别出来的，会有错字：请逐题核对`,
    )
  tellSet(
    pages.map(({ slanted }) => slanted),
    (words) => intake.report('warning', '文件', `斜排、竖排的文字（水印、密封线）没有导入：${words}`),
  )
  tellSet(
    pages.map(({ faint }) => faint),
    (words) => intake.report('warning', '文件', `颜色很浅、看不清的文字（水印）没有导入：${words}`),
  )
}

/** A page without text that is a picture. */
const isScan = ({ glyphs, pictures, width, height }: Page): boolean =>
  glyphs.every(({ text }) => text.trim() === '') &&
  pictures.some(({ left, top, right, bottom }) => (right - left) * (bottom - top) > (width * height) / 3)

function tellSet(texts: readonly string[], tell: (words: string) => void): void {
  const words = new Set(texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter(Boolean))
  if (words.size > 0) tell(quoted([...words]))
}
const MOST_QUOTED = 5
const quoted = (texts: readonly string[]): string => {
  const some = texts.slice(0, MOST_QUOTED).map((text) => `“${text.slice(0, 30)}”`)
  return some.join('、') + (texts.length > MOST_QUOTED ? '等' : '')
}
