import { useEffect, useRef, useState } from 'react'
import type { Library } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { offline } from '#src/offline/index.ts'
import { type Found, openSearch, type Query, type Search, type SearchState } from '#src/search/client.ts'
import { readerNow } from '../here.ts'
import { together, useSaidOnline } from '../said.ts'

export interface Answer extends Found {
  query: Query
  /** Of the hits' questions, as the record knows them. */
  states: ReadonlyMap<string, StudyState>
}
/** Shorter than a pause in thinking, longer than one between keys. */
const TYPING_MS = 150

/** A search over what is on the device, open as long as the component is. */
export function useSearch(libraries: readonly Library[], query: Query) {
  const [state, setState] = useState<SearchState>({ at: 'building', done: 0, total: 0 })
  const search = useRef<Search | null>(null)
  const [answer, setAnswer] = useState<Answer | null>(null)
  useEffect(() => {
    const opened = openSearch(
      { reader: readerNow(), recordOf: offline.owner, subjects: subjectsOf(libraries) },
      setState,
    )
    search.current = opened
    return opened.close
  }, [libraries])
  const { text, scope, subject } = query
  // Lessons come after the questions: what was asked is asked again.
  const ready = state.at === 'ready' ? state : null
  useEffect(() => {
    const { current: asking } = search
    if (!asking || !ready || text.trim() === '') return
    let current = true
    const asked: Query = { text, scope, ...(subject !== undefined && { subject }) }
    const ask = async () => {
      const found = await asking.ask(asked)
      const states = await offline.answered(found.hits.flatMap(({ nos }) => nos)).catch(() => new Map())
      if (current) setAnswer({ ...found, states, query: asked })
    }
    const timer = setTimeout(() => void ask(), TYPING_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [ready, text, scope, subject])
  const online = useSaidOnline(query)
  // The last answer stays until the next one is there, so that nothing flickers while a student types.
  return { state, answer: text.trim() === '' ? null : answer && { ...answer, said: together(answer.said, online) } }
}

const subjectsOf = (libraries: readonly Library[]): Map<string, string> =>
  new Map(libraries.flatMap(({ subject, chapters }) => chapters.map(({ no }) => [no, subject.no] as const)))
