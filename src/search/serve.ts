import type { Reader } from '#src/offline/downloads/onDevice.ts'
import { termsOf } from '#src/domain/text/searchText.ts'
import { createIndex, type FoundQuestions, type Own, type Query } from './engine.ts'
import { shrinkKept, update } from './keep.ts'
import { findNotes, type NoteHere, type NoteHit, searchableNotes } from './lessonNotes.ts'
import { findSaid, type LessonHit, type LessonsHere, lessonsOnDevice } from './lessons.ts'
import { NO_MARKS, ownOnDevice } from './own.ts'
import { createShow, type Hit, type Show } from './show.ts'

export interface Found extends Omit<FoundQuestions, 'hits'> {
  hits: Hit[]
  /** The student's notes on lessons, wherever these lessons are. */
  noted: NoteHit[]
  /** What lessons on this device say of it. */
  said: LessonHit[]
}
/** How much can be found: questions, notes on lessons, and the words of lessons on this device, which come after the others. */
export interface Searchable {
  size: number
  notes: number
  lessons: number
}
export type Request =
  /** `recordOf`: whose notes and errors; `seen`: the highest time that the device has seen, by which rights to lessons end. */
  | { kind: 'open'; reader: Reader; recordOf: string; subjects: Own['subjects']; now: number; seen: number }
  | { kind: 'ask'; id: number; query: Query }
export type Reply =
  | { kind: 'building'; done: number; total: number }
  | ({ kind: 'ready' } & Searchable)
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
  let notes: readonly NoteHere[] = []
  let { said, subjects: courseSubjects }: LessonsHere = { said: [], subjects: new Map() }
  const tellReady = () =>
    port.postMessage({ kind: 'ready', size: index.size(), notes: notes.length, lessons: said.length })
  let show: Show = createShow(new Map())
  let latest = 0
  const open = async ({ reader, recordOf, subjects, now, seen }: Extract<Request, { kind: 'open' }>): Promise<void> => {
    // A record that cannot be read takes no question away.
    const { lessonNotes, ...own } = await ownOnDevice(recordOf).catch(() => NO_MARKS)
    index.setOwn({ ...own, subjects })
    notes = searchableNotes(lessonNotes)
    const tell = (done: number, total: number) => port.postMessage({ kind: 'building', done, total })
    show = createShow(await update(index, reader, now, tell))
    tellReady()
    // A device whose lessons cannot be read searches its questions all the same.
    const here = await lessonsOnDevice(reader.owner, seen).catch(() => null)
    if (here) ({ said, subjects: courseSubjects } = here)
    if (said.length > 0) tellReady()
    await shrinkKept(reader.owner, now).catch(() => {})
  }
  const answer = async (id: number, query: Query): Promise<void> => {
    const terms = termsOf(query.text)
    const { hits, ...found } = index.search(query)
    const shown = await show(hits, terms)
    // Somebody who types on asks for something else by now.
    if (id !== latest) return
    const lines = query.scope === 'all' ? findSaid(said, terms, query.subject) : []
    const noted = query.scope === 'errors' ? [] : findNotes(notes, terms, courseSubjects, query.subject)
    port.postMessage({ kind: 'found', id, found: { ...found, hits: shown, noted, said: lines } })
  }
  port.addEventListener('message', ({ data }) => {
    if (data.kind === 'open') open(data).catch(() => port.postMessage({ kind: 'failed' }))
    else void answer((latest = data.id), data.query)
  })
}
