import {
  getDocument,
  GlobalWorkerOptions,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PasswordResponses,
  VerbosityLevel,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { default as workerUrl } from 'pdfjs-dist/legacy/build/pdf.worker.mjs?worker&url'

export type { PDFDocumentProxy as Pdf, PDFPageProxy as PdfPage }

GlobalWorkerOptions.workerSrc = workerUrl
/** tools/pdfFiles.ts puts them there. */
const FILES = `/assets/pdf-${version}/`

export interface Opening {
  pdf: Promise<PDFDocumentProxy>
  /** Ends the worker, whatever it is doing. */
  close: () => void
}

/**
 * Opens the bytes of a document; they are the worker's from then on.
 * @param onPassword asked for a password, again after a wrong one; `give` is to be called with what the student typed.
 */
export function openPdf(
  bytes: Uint8Array<ArrayBuffer>,
  onPassword: (give: (password: string) => void, wrong: boolean) => void,
): Opening {
  const task = getDocument({
    data: bytes,
    cMapUrl: FILES,
    standardFontDataUrl: FILES,
    wasmUrl: FILES,
    // By the page, so that it knows which it used (offline/documents.ts), and under its policy.
    useWorkerFetch: false,
    // Larger pictures would end a small phone's browser: a page of A4 at 600 dpi is 35 million.
    maxImageSize: 64_000_000,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  })
  task.onPassword = (give: (password: string) => void, reason: number) =>
    onPassword(give, reason === PasswordResponses.INCORRECT_PASSWORD)
  return { pdf: task.promise, close: () => void task.destroy().catch(() => {}) }
}
