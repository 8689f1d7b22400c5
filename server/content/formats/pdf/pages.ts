import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import * as v from 'valibot'
import { FileFault } from '#server/content/draft.ts'
import { TOO_MUCH } from '#src/domain/app/pdfBounds.ts'
import { refuseLarge } from '../fileText.ts'
import { Page } from './page.ts'

const MOST_MB = 64
/** A book of questions has no more. */
const MOST_PAGES = 600
/** Glyphs of all pages together: three million characters are 2,000 pages of a book. */
const MOST_GLYPHS = 3_000_000
/** One page, or the opening, may take so long. */
const PAGE_MS = 20_000
const WHOLE_MS = 5 * 60_000
/** MB of the thread's own, besides buffers, which the thread bounds itself. */
const HEAP_MB = 768

const Said = v.variant('is', [
  v.object({ is: v.literal('open'), pages: v.number() }),
  v.object({ is: v.picklist(['begun', 'broken']), number: v.number() }),
  v.object({ is: v.literal('picture'), name: v.string(), bytes: v.instance(Uint8Array) }),
  v.object({ is: v.literal('page'), page: Page }),
  v.object({ is: v.picklist(['done', 'locked', 'damaged', TOO_MUCH]) }),
])

export interface Pages {
  pages: Page[]
  /** Numbers of those that cannot be read. */
  broken: number[]
}
interface Bounds {
  pageMs?: number
  wholeMs?: number
}

/**
 * Reads what stands on the pages of a document.
 * @param take gets each picture once
 * @throws FileFault
 */
export async function readPages(
  file: string,
  take: (name: string, bytes: Uint8Array) => void,
  counted: (done: number, all: number) => void = () => {},
  bounds: Bounds = {},
): Promise<Pages> {
  await refuseLarge(file, MOST_MB)
  const thread = new Worker(new URL('./pdfThread.ts', import.meta.url), {
    workerData: { bytes: new Uint8Array(await readFile(file)) },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    // The operator is not told in the words of pdf.js.
    stdout: true,
    stderr: true,
  })
  try {
    return await readBy(thread, { take, counted }, bounds)
  } finally {
    await thread.terminate()
  }
}

const heavyAt = (page: number): FileFault =>
  new FileFault(
    page === 0
      ? '这个 PDF 打不开：太大或太复杂。请用 Word、WPS 或浏览器重新“打印”成 PDF，或分成几个文件'
      : `第${page}页太大或太复杂，读不完：请删去这一页，或用 Word、WPS、浏览器重新“打印”成 PDF，也可以分成几个文件`,
  )
const FAULTS = {
  locked: '这个 PDF 有打开密码：请先去掉密码（用密码打开后“打印”成新的 PDF）再导入',
  damaged: '不是有效的 PDF，或文件已损坏：请重新下载，或重新导出成 PDF',
}

interface Taking {
  take: (name: string, bytes: Uint8Array) => void
  counted: (done: number, all: number) => void
}
function readBy(
  thread: Worker,
  { take, counted }: Taking,
  { pageMs = PAGE_MS, wholeMs = WHOLE_MS }: Bounds,
): Promise<Pages> {
  const read: Pages = { pages: [], broken: [] }
  let [count, page, glyphs] = [0, 0, 0]
  return new Promise((resolve, reject) => {
    const heavy = () => reject(heavyAt(page))
    const late = setTimeout(heavy, wholeMs)
    let stuck = setTimeout(heavy, pageMs)
    thread.on('message', (message: unknown) => {
      clearTimeout(stuck)
      stuck = setTimeout(heavy, pageMs)
      const said = v.parse(Said, message)
      if (said.is === 'open') {
        count = said.pages
        if (count > MOST_PAGES) reject(new FileFault(`有 ${count} 页，最多 ${MOST_PAGES} 页：请分成几个文件`))
      } else if (said.is === 'begun') page = said.number
      else if (said.is === 'broken') read.broken.push(said.number)
      else if (said.is === 'picture') take(said.name, said.bytes)
      else if (said.is === 'page') {
        glyphs += said.page.glyphs.length
        read.pages.push(said.page)
        counted(page, count)
        if (glyphs > MOST_GLYPHS) reject(new FileFault('文字太多：请分成几个文件'))
      } else if (said.is === TOO_MUCH) heavy()
      else if (said.is === 'done') resolve(read)
      else reject(new FileFault(FAULTS[said.is]))
    })
    // Out of memory, or a fault of pdf.js that it does not catch itself.
    thread.on('error', heavy)
    thread.on('exit', () => {
      for (const timer of [late, stuck]) clearTimeout(timer)
      heavy()
    })
  })
}
