import { Worker } from 'node:worker_threads'
import * as v from 'valibot'
import { TOO_MUCH } from '#src/domain/app/pdfBounds.ts'

/**
 * damaged: it is no document; locked: it has a password; heavy: it is too much for a reader, at this page (0: before any page);
 * open: it can be read, but for its broken pages.
 */
export type OpenedPdf =
  | { is: 'damaged' | 'locked' }
  | { is: 'heavy'; page: number }
  | { is: 'open'; pages: number; broken: readonly number[] }

/** One page, or the opening, may take so long. A phone is five times slower, and its reader waits for 20 s. */
const PIECE_MS = 10_000
/** After that the pages that were not looked at are believed to be like the others. */
const WHOLE_MS = 40_000
/** MB of the thread's own, besides buffers, which the thread bounds itself. */
const HEAP_MB = 512
/** Pages of which pictures and lines are read, too. */
const DRAWN = 20

const Said = v.variant('is', [
  v.object({ is: v.literal('open'), pages: v.number() }),
  v.object({ is: v.picklist(['page', 'broken']), number: v.number() }),
  v.object({ is: v.picklist(['done', 'locked', 'damaged', TOO_MUCH]) }),
])

interface Bounds {
  pieceMs?: number
  wholeMs?: number
}

/** Opens a document as a student's reader will, in a thread that is ended when the document asks for too much. */
export async function openPdf(bytes: Uint8Array, bounds: Bounds = {}): Promise<OpenedPdf> {
  const thread = new Worker(new URL('./pdfThread.ts', import.meta.url), {
    workerData: { bytes: new Uint8Array(bytes), drawn: DRAWN },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    // The operator is not told in the words of pdf.js.
    stdout: true,
    stderr: true,
  })
  try {
    return await openedBy(thread, bounds)
  } finally {
    await thread.terminate()
  }
}

function openedBy(thread: Worker, { pieceMs = PIECE_MS, wholeMs = WHOLE_MS }: Bounds): Promise<OpenedPdf> {
  const broken: number[] = []
  let [pages, page] = [0, 0]
  return new Promise((resolve) => {
    const heavy = () => resolve({ is: 'heavy', page })
    const whole = () => resolve(pages > 0 ? { is: 'open', pages, broken } : { is: 'heavy', page })
    const late = setTimeout(whole, wholeMs)
    let stuck = setTimeout(heavy, pieceMs)
    thread.on('message', (message: unknown) => {
      clearTimeout(stuck)
      stuck = setTimeout(heavy, pieceMs)
      const said = v.parse(Said, message)
      if (said.is === 'open') ({ pages } = said)
      else if (said.is === 'page') page = said.number
      else if (said.is === 'broken') broken.push(said.number)
      else if (said.is === TOO_MUCH) heavy()
      else resolve(said.is === 'done' ? { is: 'open', pages, broken } : { is: said.is })
    })
    // Out of memory, or a fault of pdf.js that it does not catch itself.
    thread.on('error', heavy)
    thread.on('exit', () => {
      for (const timer of [late, stuck]) clearTimeout(timer)
      heavy()
    })
  })
}
