import type { Reader } from '#src/offline/onDevice.ts'
import { termsOf } from '#src/domain/searchText.ts'
import { createIndex, type FoundQuestions, type Own, type Query } from './engine.ts'
import { update } from './keep.ts'
import { findSaid, type SaidHere, type SaidHit, saidOnDevice } from './lessons.ts'

export interface Found extends FoundQuestions {
  /** What lessons on this device say of it. */
  said: SaidHit[]
}
export type Request =
  /** `seen`: the highest time that the device has seen, by which rights to lessons end. */
  { kind: 'open'; reader: Reader; own: Own; now: number; seen: number } | { kind: 'ask'; id: number; query: Query }
export type Reply =
  | { kind: 'building'; done: number; total: number }
  /** `lessons`: how many are on this device whose words are found; they come after the questions. */
  | { kind: 'ready'; size: number; lessons: number }
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
  let said: readonly SaidHere[] = []
  const tellReady = () => port.postMessage({ kind: 'ready', size: index.size(), lessons: said.length })
  const open = async ({ reader, own, now, seen }: Extract<Request, { kind: 'open' }>): Promise<void> => {
    index.setOwn(own)
    await update(index, reader, now, (done, total) => port.postMessage({ kind: 'building', done, total }))
    tellReady()
    // A device whose lessons cannot be read searches its questions all the same.
    said = await saidOnDevice(reader.owner, seen).catch(() => [])
    if (said.length > 0) tellReady()
  }
  const find = (query: Query): Found => ({
    ...index.search(query),
    said: query.scope === 'all' ? findSaid(said, termsOf(query.text), query.subject) : [],
  })
  port.addEventListener('message', ({ data }) => {
    if (data.kind === 'open') open(data).catch(() => port.postMessage({ kind: 'failed' }))
    else port.postMessage({ kind: 'found', id: data.id, found: find(data.query) })
  })
}
