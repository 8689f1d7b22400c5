import { MessageChannel } from 'node:worker_threads'
import { vi } from 'vitest'

/** The scope of a worker, as far as ours use it. */
interface Port<Request, Reply> {
  postMessage: (message: Reply) => void
  addEventListener: (type: 'message', listener: (event: MessageEvent<Request>) => void) => void
}

/** A page's workers where there are none, as in Node and jsdom: each in this thread, at the other end of a real channel. */
export function giveWorker<Request, Reply>(
  serve: (port: Port<Request, Reply>) => void,
): {
  /** Those that were not ended. */
  alive: () => number
  /** Fails them, as when a worker's file does not come or its process dies. */
  fail: () => void
} {
  const workers = new Set<EventTarget>()
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      readonly #channel = new MessageChannel()
      constructor() {
        super()
        const { port1, port2 } = this.#channel
        workers.add(this)
        port1.on('message', (data) => this.dispatchEvent(new MessageEvent('message', { data })))
        serve({
          postMessage: (message) => port2.postMessage(message),
          addEventListener: (_, listener) =>
            void port2.on('message', (data) => listener(new MessageEvent('message', { data }))),
        })
      }
      postMessage(message: unknown): void {
        this.#channel.port1.postMessage(message)
      }
      terminate(): void {
        workers.delete(this)
        this.#channel.port1.close()
      }
    },
  )
  return {
    alive: () => workers.size,
    fail: () => workers.forEach((worker) => worker.dispatchEvent(new Event('error'))),
  }
}
