import type { Reader } from '#src/offline/onDevice.ts'
import { createIndex, type Found, type Own, type Query } from './engine.ts'
import { update } from './keep.ts'

export type Request =
  | { kind: 'open'; reader: Reader; own: Own; now: number }
  | { kind: 'ask'; id: number; query: Query }
export type Reply =
  | { kind: 'building'; done: number; total: number }
  | { kind: 'ready'; size: number }
  | { kind: 'failed' }
  | { kind: 'found'; id: number; found: Found }
/** The worker's own scope, or one end of a channel. */
export interface Port {
  postMessage: (message: Reply) => void
  addEventListener: (type: 'message', listener: (event: MessageEvent<Request>) => void) => void
}

/** Answers a page's questions about what is on this device. */
export function serve(port: Port): void {
  const index = createIndex()
  const open = async ({ reader, own, now }: Extract<Request, { kind: 'open' }>): Promise<void> => {
    index.setOwn(own)
    await update(index, reader, now, (done, total) => port.postMessage({ kind: 'building', done, total }))
    port.postMessage({ kind: 'ready', size: index.size() })
  }
  port.addEventListener('message', ({ data }) => {
    if (data.kind === 'open') open(data).catch(() => port.postMessage({ kind: 'failed' }))
    else port.postMessage({ kind: 'found', id: data.id, found: index.search(data.query) })
  })
}
