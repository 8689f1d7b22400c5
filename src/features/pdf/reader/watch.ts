import * as v from 'valibot'
import { PING, TOO_MUCH } from '#src/domain/app/pdfBounds.ts'

/** On one page: drawn things with the numbers that make them up, ten for one. A map of a whole city has fewer. */
const MOST_OPERATORS = 300_000
/** Pieces of text on one page, which no student reads. */
const MOST_WORDS = 50_000
/** Of the pictures on one page, in the memory of whoever draws them. */
const MOST_PICTURE_BYTES = 320 * 1024 * 1024
/** So long without a word, the worker is lost in something. An old phone needs some seconds for a large picture. */
const SILENT_S = 20
/** Until the first page can be shown; an old phone needs seconds. */
const OPENING_S = 60

export interface Watched {
  /** The document is too much: it takes too long, or too much memory. */
  onHeavy: () => void
  /** One page is; from 0. */
  onCrowded: (page: number) => void
  /** The worker itself did not come. */
  onMissing: () => void
}

const Asked = v.object({
  action: v.picklist(['GetOperatorList', 'GetTextContent']),
  streamId: v.number(),
  data: v.object({ pageIndex: v.number(), pageProxyId: v.optional(v.number()) }),
})
const Drawing = v.object({ streamId: v.number(), chunk: v.object({ argsArray: v.array(v.unknown()) }) })
const Writing = v.object({ streamId: v.number(), chunk: v.object({ items: v.array(v.unknown()) }) })
/** It names its page by what asked for it (`pageProxyId`), which is no page's number: pages are numbered as they are asked for. */
const Picture = v.object({
  action: v.literal('obj'),
  data: v.tuple([v.string(), v.number(), v.literal('Image'), v.object({ dataLen: v.number() })]),
})

/**
 * Watches what the page asks of pdf.js's worker and what comes back: pdf.js has no bounds of its own, and a worker that is lost in
 * a document hears nobody who wants to end it.
 * @returns what to call when the document is open, and when it is closed.
 */
export function watchWorker(worker: Worker, { onHeavy, onCrowded, onMissing }: Watched) {
  const count = countPages(onHeavy, onCrowded)
  const post = worker.postMessage.bind(worker)
  worker.postMessage = (message: unknown, given?: Transferable[] | StructuredSerializeOptions) => {
    count.asked(message)
    if (Array.isArray(given)) post(message, given)
    else post(message, given)
  }
  let [silent, opening] = [0, 0]
  let isOpen = false
  let isThere = false
  worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    silent = 0
    isThere = true
    if (data === TOO_MUCH) onHeavy()
    else if (data !== PING) count.answered(data)
  })
  worker.addEventListener('error', () => isThere || onMissing())
  // Seconds in which this page runs, too: a phone that was put away has not waited.
  const timer = setInterval(() => {
    silent++
    if (!isOpen) opening++
    if (silent > SILENT_S || opening > OPENING_S) onHeavy()
    else post(PING)
  }, 1000)
  return {
    opened: (): void => void (isOpen = true),
    /** The student is asked something: a password. */
    paused: (): void => void (opening = 0),
    end: (): void => clearInterval(timer),
  }
}

/** Counts what comes for each page, and tells once when it is too much. */
function countPages(onHeavy: () => void, onCrowded: (page: number) => void) {
  /** By the number of the answer that comes in pieces. */
  const answers = new Map<number, { page: number; weight: number }>()
  /** The keys are what asks for a page (`pageProxyId`); the values say which page it is, and how many bytes its pictures have. */
  const pictures = new Map<number, { page: number; bytes: number }>()
  const add = (id: number, weight: number, most: number, tell: (page: number) => void) => {
    const answer = answers.get(id)
    if (!answer) return
    answer.weight += weight
    if (answer.weight <= most) return
    answers.delete(id)
    tell(answer.page)
  }
  return {
    asked(message: unknown): void {
      if (!v.is(Asked, message)) return
      const { pageIndex: page, pageProxyId } = message.data
      answers.set(message.streamId, { page, weight: 0 })
      if (pageProxyId !== undefined) pictures.set(pageProxyId, { page, bytes: 0 })
    },
    answered(message: unknown): void {
      if (v.is(Drawing, message)) add(message.streamId, weightOf(message.chunk.argsArray), MOST_OPERATORS, onCrowded)
      else if (v.is(Writing, message)) add(message.streamId, message.chunk.items.length, MOST_WORDS, onHeavy)
      else if (v.is(Picture, message)) {
        const [, asker, , { dataLen }] = message.data
        const of = pictures.get(asker)
        if (!of) return
        of.bytes += dataLen
        if (of.bytes > MOST_PICTURE_BYTES) onCrowded(of.page)
      }
    },
  }
}

/** One path may have a million points. */
function weightOf(operators: readonly unknown[]): number {
  let numbers = 0
  for (const given of operators) if (Array.isArray(given)) for (const each of given) numbers += lengthOf(each)
  return operators.length + numbers / 10
}
const lengthOf = (value: unknown): number =>
  Array.isArray(value)
    ? value.reduce<number>((sum, each) => sum + (ArrayBuffer.isView(each) ? each.byteLength / 4 : 1), 0)
    : 0
