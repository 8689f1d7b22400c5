import { MessageChannel } from 'node:worker_threads'
import { vi } from 'vitest'
import { type Port, serve } from '#src/search/serve.ts'

/** The search's worker as jsdom, which has none, can run it: in this thread, at the other end of a real channel. */
export function giveSearchWorker(): void {
  vi.stubGlobal(
    'Worker',
    class {
      readonly #channel = new MessageChannel()
      constructor() {
        const { port2 } = this.#channel
        const port: Port = {
          postMessage: (message) => port2.postMessage(message),
          addEventListener: (_, listener) =>
            void port2.on('message', (data) => listener(new MessageEvent('message', { data }))),
        }
        serve(port)
      }
      postMessage(message: unknown): void {
        this.#channel.port1.postMessage(message)
      }
      addEventListener(type: string, listener: (event: MessageEvent) => void): void {
        if (type === 'message')
          this.#channel.port1.on('message', (data) => listener(new MessageEvent('message', { data })))
      }
      terminate(): void {
        this.#channel.port1.close()
      }
    },
  )
}
