import type { Caller } from '#src/api/transport.ts'
import { SYNC_TIMEOUT_MS } from '#src/contract/sync.ts'
import { tear } from '../device/tornLog.ts'
import type { Fill, Filled } from './drain.ts'
import { default as FillWorker } from './fillWorker.ts?worker'
import type { FillReply, FillRequest } from './serveFill.ts'

/** A worker that is silent for longer than a call of its own may take is given up. */
const GIVE_UP_MS = SYNC_TIMEOUT_MS + 10_000

/**
 * Has a worker take in a long record. Each of its thousands of rows is a request to IndexedDB, which on a slow phone would keep the page
 * from answering taps for a quarter of a minute. What the worker does not bring, the page fetches itself.
 */
export function createFill(caller: () => Caller): { fill: Fill; stop: () => void } {
  /** A worker has ended before it took anything in: this page asks for none any more. */
  let isBroken = false
  let isStopped = false
  const running = new Set<(as: Filled) => void>()
  const open = (): Worker | null => {
    if (isBroken) return null
    try {
      return new FillWorker()
    } catch {
      isBroken = true
      return null
    }
  }
  const fill: Fill = (first, onSettled) => {
    if (isStopped) return Promise.resolve('stopped')
    const worker = open()
    if (!worker) return Promise.resolve('refused')
    return new Promise((resolve) => {
      let hasSettled = false
      let silence: ReturnType<typeof setTimeout> | undefined
      const end = (as: Filled): void => {
        clearTimeout(silence)
        worker.terminate()
        window.removeEventListener('pagehide', leave)
        running.delete(end)
        resolve(as)
      }
      const leave = () => end(hasSettled ? 'taken' : 'refused')
      const over = () => {
        isBroken ||= !hasSettled
        leave()
      }
      const listen = () => {
        clearTimeout(silence)
        silence = setTimeout(over, GIVE_UP_MS)
      }
      worker.addEventListener('error', over)
      worker.addEventListener('message', ({ data }: MessageEvent<FillReply>) => {
        listen()
        if (data.kind === 'over') return over()
        if (data.kind === 'torn') return tear()
        hasSettled = true
        onSettled?.(data.questions, data.settled)
      })
      // A page that is kept for the way back must not hold the record through its worker (frozen.ts).
      window.addEventListener('pagehide', leave)
      running.add(end)
      listen()
      const request: FillRequest = { caller: caller(), first }
      worker.postMessage(request)
    })
  }
  return {
    fill,
    stop: () => {
      isStopped = true
      for (const end of running) end('stopped')
    },
  }
}
