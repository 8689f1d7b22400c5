import { parentPort, workerData } from 'node:worker_threads'
import * as v from 'valibot'
import { boundBuffers, TOO_MUCH } from '#src/domain/app/pdfBounds.ts'
import { openingOf } from '#server/content/pdfOpening.ts'

/**
 * Opens one document in a thread of its own, which its parent ends when it takes too long (openPdf.ts). It reads the words of all
 * pages, for which their contents must be inflated, and what is drawn on the first.
 */
const { bytes, drawn } = v.parse(v.object({ bytes: v.instance(Uint8Array), drawn: v.number() }), workerData)
const tell = (message: object): void => parentPort?.postMessage(message)

Object.assign(
  globalThis,
  boundBuffers(globalThis, () => tell({ is: TOO_MUCH })),
)
// It reads the globals when it is loaded.
const { getDocument, PasswordException, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')

const task = getDocument({
  ...openingOf(bytes),
  verbosity: VerbosityLevel.ERRORS,
})
try {
  const pdf = await task.promise
  const pages = pdf.numPages
  tell({ is: 'open', pages })
  for (let number = 1; number <= pages; number++) {
    tell({ is: 'page', number })
    try {
      const page = await pdf.getPage(number)
      await page.getTextContent()
      if (number <= drawn) await page.getOperatorList()
      page.cleanup()
    } catch {
      tell({ is: 'broken', number })
    }
  }
  tell({ is: 'done' })
} catch (error) {
  tell({ is: error instanceof PasswordException ? 'locked' : 'damaged' })
}
