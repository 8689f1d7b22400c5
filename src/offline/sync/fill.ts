import type { Caller } from '#src/api/transport.ts'
import { tear } from '../device/tornLog.ts'
import type { Fill } from './drain.ts'
import { default as FillWorker } from './fillWorker.ts?worker'
import type { FillReply, FillRequest } from './serveFill.ts'

/** A worker that says nothing for so long is given up: its calls end before. */
const SILENT_MS = 30_000

/**
 * Has a worker take in a long record. Each of its thousands of rows is a request to IndexedDB, which on a slow phone would keep the page
 * from answering taps for a quarter of a minute. What the worker does not bring, the page fetches itself.
 */
export function createFill(caller: () => Caller): { fill: Fill; end: () => void } {
  let isBroken = false
  let end = (): void => {}
  const fill: Fill = (first, onSettled) => {
    if (isBroken) return Promise.resolve(false)
    return new Promise((resolve) => {
      let took = false
      let silence: ReturnType<typeof setTimeout> | undefined
      const worker = new FillWorker()
      end = () => {
        clearTimeout(silence)
        worker.terminate()
        window.removeEventListener('pagehide', end)
        isBroken ||= !took
        resolve(took)
      }
      const listen = () => {
        clearTimeout(silence)
        silence = setTimeout(end, SILENT_MS)
      }
      worker.addEventListener('error', end)
      worker.addEventListener('message', ({ data }: MessageEvent<FillReply>) => {
        listen()
        if (data.kind === 'over') return end()
        if (data.kind === 'torn') return tear()
        took = true
        onSettled?.(data.questions, data.settled)
      })
      // A page that is kept for the way back must not hold the record through its worker (frozen.ts).
      window.addEventListener('pagehide', end)
      listen()
      const request: FillRequest = { caller: caller(), first }
      worker.postMessage(request)
    })
  }
  return { fill, end: () => end() }
}
