import type { Reader } from '#src/offline/downloads/onDevice.ts'
import { seenNow } from '#src/offline/device/highestTime.ts'
import type { Own, Query } from './engine.ts'
import type { Found, Reply, Request, Searchable } from './serve.ts'
import { default as SearchWorker } from './worker.ts?worker'

export type { Query } from './engine.ts'
export type { LessonHit } from './lessons.ts'
export type { NoteHit } from './lessonNotes.ts'
export type { Found } from './serve.ts'
export type { Hit } from './show.ts'

export type SearchState =
  /** `total` 0: it is not yet known how much there is to do. */
  { at: 'building'; done: number; total: number } | ({ at: 'ready' } & Searchable) | { at: 'failed' }

export interface Search {
  /** Only the latest question is answered; those before it stay open. */
  ask: (query: Query) => Promise<Found>
  close: () => void
}

interface Opening {
  reader: Reader
  /** Whose notes and errors count (offline/engine.ts). */
  recordOf: string
  /** Of the chapters that are studied (engine.ts). */
  subjects: Own['subjects']
}

/** Starts the worker that searches. It lives as long as the search is open: its texts are memory that studying needs. */
export function openSearch(opening: Opening, onState: (state: SearchState) => void): Search {
  const worker = new SearchWorker()
  const send = (request: Request) => worker.postMessage(request)
  let latest = 0
  let answer: (found: Found) => void = () => {}
  worker.addEventListener('error', () => onState({ at: 'failed' }))
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    if (data.kind === 'building') onState({ at: 'building', done: data.done, total: data.total })
    else if (data.kind === 'ready') onState({ ...data, at: 'ready' })
    else if (data.kind === 'failed') onState({ at: 'failed' })
    else if (data.id === latest) answer(data.found)
  })
  send({ kind: 'open', ...opening, now: Date.now(), seen: seenNow() })
  return {
    ask: (query) =>
      new Promise((resolve) => {
        answer = resolve
        send({ kind: 'ask', id: ++latest, query })
      }),
    close: () => worker.terminate(),
  }
}
