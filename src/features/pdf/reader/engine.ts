import {
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  PasswordResponses,
  VerbosityLevel,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { MOST_PIXELS } from '#src/domain/app/pdfBounds.ts'
import { default as workerUrl } from './pdf.worker.ts?worker&url'
import { type Watched, watchWorker } from './watch.ts'

export type { PDFDocumentProxy as Pdf, PDFPageProxy as PdfPage }

/** tools/pdfFiles.ts puts them there. */
const FILES = `/assets/pdf-${version}/`

export interface Opening {
  pdf: Promise<PDFDocumentProxy>
  /** The first page stands: what comes from now on may take its time. */
  opened: () => void
  /** Ends the worker, whatever it is doing. */
  close: () => void
}

/**
 * Pixels of one page's picture, 4 bytes each. A few pages are drawn at a time; above this a small phone's browser is ended.
 * Nor is a picture in a page decoded to more than that: what the canvas cannot show needs no memory.
 */
export const CANVAS_PIXELS = window.matchMedia('(pointer: coarse)').matches ? 4_000_000 : 12_000_000
/** A worker that hears tidies up; one that does not is ended after that. */
const TIDY_MS = 1000

interface Asked extends Watched {
  /** Asks for a password, again after a wrong one; `give` is to be called with what the student typed. */
  onPassword: (give: (password: string) => void, wrong: boolean) => void
}

/** Opens the bytes of a document; they are the worker's from then on. */
export function openPdf(bytes: Uint8Array<ArrayBuffer>, { onPassword, ...watched }: Asked): Opening {
  const port = new Worker(workerUrl, { type: 'module' })
  const heavy = () => {
    end()
    watched.onHeavy()
  }
  const watch = watchWorker(port, { ...watched, onHeavy: heavy })
  const end = () => {
    watch.end()
    port.terminate()
  }
  const task = getDocument({
    worker: PDFWorker.create({ port, verbosity: VerbosityLevel.ERRORS }),
    data: bytes,
    cMapUrl: FILES,
    standardFontDataUrl: FILES,
    wasmUrl: FILES,
    // By the page, so that it knows which it used (offline/downloads/documents/documents.ts), and under its policy.
    useWorkerFetch: false,
    maxImageSize: MOST_PIXELS,
    canvasMaxAreaInBytes: 4 * CANVAS_PIXELS,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  })
  task.onPassword = (give: (password: string) => void, reason: number) => {
    watch.paused()
    onPassword(give, reason === PasswordResponses.INCORRECT_PASSWORD)
  }
  const close = () => {
    const late = setTimeout(end, TIDY_MS)
    const tidy = () => {
      clearTimeout(late)
      end()
    }
    task.destroy().then(tidy, tidy)
  }
  return { pdf: task.promise, opened: watch.opened, close }
}
