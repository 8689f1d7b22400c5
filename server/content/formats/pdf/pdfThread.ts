import { parentPort, workerData } from 'node:worker_threads'
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import * as v from 'valibot'
import { boundBuffers, TOO_MUCH } from '#src/domain/app/pdfBounds.ts'
import { openingOf } from '#server/content/pdfOpening.ts'
import type { Sheet } from './drawn.ts'
import type { Font } from './textState.ts'

/**
 * Reads one document in a thread of its own, which its parent ends when it takes too long (pages.ts). What it says of a page is all
 * that is kept of it.
 */
const { bytes } = v.parse(v.object({ bytes: v.instance(Uint8Array) }), workerData)
const tell = (message: object): void => parentPort?.postMessage(message)

Object.assign(
  globalThis,
  boundBuffers(globalThis, () => tell({ is: TOO_MUCH })),
)
// They read the globals when they are loaded.
const { AnnotationMode, getDocument, PasswordException, VerbosityLevel } =
  await import('pdfjs-dist/legacy/build/pdf.mjs')
const { drawnOn, TooMuchDrawn } = await import('./drawn.ts')
const { pictureOf } = await import('./pictures.ts')

const task = getDocument({
  ...openingOf(bytes),
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  verbosity: VerbosityLevel.ERRORS,
})

const told = new Set<string>()
async function tellPage(page: PDFPageProxy, isShown: Sheet['isShown']): Promise<void> {
  const operators = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE })
  const { width, height, transform } = page.getViewport({ scale: 1 })
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = transform
  const drawn = drawnOn(operators, {
    width,
    height,
    matrix: [a, b, c, d, e, f],
    font: (name) => page.commonObjs.get(name) as Font,
    isShown,
  })
  const find = (name: string): Promise<unknown> =>
    new Promise((resolve) => {
      const objects = name.startsWith('g_') ? page.commonObjs : page.objs
      objects.get(name, resolve)
    })
  const pictures = []
  for (const painted of drawn.pictures) {
    const made = await pictureOf(painted, find)
    if (!made) continue
    const { picture, bytes: file } = made
    pictures.push(picture)
    if (!picture.name || !file || told.has(picture.name)) continue
    told.add(picture.name)
    tell({ is: 'picture', name: picture.name, bytes: new Uint8Array(file) })
  }
  tell({ is: 'page', page: { ...drawn, pictures, number: page.pageNumber } })
  page.cleanup()
}

try {
  const pdf = await task.promise
  tell({ is: 'open', pages: pdf.numPages })
  const layers = await pdf.getOptionalContentConfig()
  for (let number = 1; number <= pdf.numPages; number++) {
    tell({ is: 'begun', number })
    try {
      await tellPage(await pdf.getPage(number), (layer) => layers.isVisible(layer))
    } catch (error) {
      if (error instanceof TooMuchDrawn) tell({ is: TOO_MUCH })
      else tell({ is: 'broken', number })
    }
  }
  tell({ is: 'done' })
} catch (error) {
  tell({ is: error instanceof PasswordException ? 'locked' : 'damaged' })
}
