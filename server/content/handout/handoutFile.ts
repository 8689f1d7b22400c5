import { hash } from 'node:crypto'
import { bytesText } from '#src/domain/text/bytes.ts'
import { LARGEST_DOCUMENT } from '#src/domain/app/documentUrl.ts'
import { MANY_PAGES } from '#src/domain/app/pdfBounds.ts'
import type { Finding } from '../draft.ts'
import { type OpenedPdf, openPdf } from './openPdf.ts'

type Tell = (level: Finding['level'], reason: string) => void

/** A file that is no PDF is known by its first bytes; each has its own words. */
const OTHERS: readonly [RegExp, string][] = [
  [/^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|title)/i, '是网页，不是 PDF，可能下载时没有登录网盘，请重新下载'],
  [/^PK|^\xd0\xcf/, '是 Word、PPT 或压缩文件，不是 PDF，请打开后另存为 PDF'],
  [/^(?:\xff\xd8\xff|\x89PNG|GIF8)/, '是图片，不是 PDF，请转为 PDF'],
]
/** A PDF may have something else before it begins and after it ends (PDF 32000-1, annex H). */
const AROUND = 1024

/** Judges a handout as a student's reader would. Returns whether it can be published. */
export async function judgeHandout(name: string, bytes: Buffer, tell: Tell): Promise<boolean> {
  const fault = (reason: string): boolean => {
    tell('fault', `${name} ${reason}`)
    return false
  }
  const head = bytes.toString('latin1', 0, AROUND)
  const other = OTHERS.find(([begins]) => begins.test(head))
  if (other) return fault(other[1])
  if (!head.includes('%PDF-')) return fault(bytes.length === 0 ? '是空文件，请重新复制' : '的内容不是 PDF，请重新导出')
  const cut = cutOff(bytes, head)
  if (cut !== null) return fault(cut)
  if (bytes.length > LARGEST_DOCUMENT)
    tell(
      'warning',
      `${name} 有 ${bytesText(bytes.length)}，超过 ${bytesText(LARGEST_DOCUMENT)} 的学生不能直接看，只能保存，请压缩图片或拆成几份`,
    )
  const opened = await open(bytes)
  switch (opened.is) {
    case 'damaged':
      return fault('已损坏，打不开，请重新导出')
    case 'heavy':
      return fault(
        `${opened.page > 0 ? `第 ${opened.page} 页` : ''}太复杂或展开后太大，手机打不开，请用“打印为 PDF”重新导出`,
      )
    case 'locked':
      tell('warning', `${name} 有打开密码，学生要输入密码才能看，请去掉密码，或者在标题里告诉学生`)
      return true
    case 'open': {
      const { pages, broken } = opened
      if (broken.length > 0) return fault(`第 ${listed(broken)} 页打不开，可能没有复制完，请重新导出`)
      if (pages > MANY_PAGES) tell('warning', `${name} 有 ${pages} 页，超过 ${MANY_PAGES} 页不方便看，请拆成几份`)
      return true
    }
  }
}

const SHOWN = 5
const listed = (pages: readonly number[]): string =>
  pages.length > SHOWN ? `${pages.slice(0, SHOWN).join('、')} 等 ${pages.length}` : pages.join('、')

/** Why a file is not whole. pdf.js opens what there is of it, and shows white pages for the rest. */
function cutOff(bytes: Buffer, head: string): string | null {
  const [, said] = /\/Linearized\b[^>]*\/L\s+(\d+)/.exec(head) ?? []
  const whole = Number(said ?? 0)
  if (whole > bytes.length)
    return `不完整：应有 ${bytesText(whole)}，只有 ${bytesText(bytes.length)}，可能没有复制完，请重新复制`
  return bytes.toString('latin1', bytes.length - AROUND).includes('%%EOF')
    ? null
    : '不完整：没有结尾，可能没有复制完，请重新复制'
}

/** A course is judged when it is checked and again when it is published, and several may have one handout. */
const known = new Map<string, OpenedPdf>()
const MOST_KNOWN = 200

async function open(bytes: Buffer): Promise<OpenedPdf> {
  const key = hash('sha256', bytes)
  const before = known.get(key)
  if (before) return before
  const opened = await openPdf(bytes)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, opened)
  return opened
}
