import { onlineManager, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { homeOf, libraryListQuery } from '#src/api/libraries.ts'
import type { Located } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { typeName } from '#src/domain/question/typeName.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { holdGaps } from '#src/domain/text/gaps.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { fold, termsOf } from '#src/domain/text/searchText.ts'
import { docOf } from '#src/search/text.ts'
import { clampFirst } from '#src/ui/list/Pager.tsx'
import { questionsOf } from './listStudy.ts'

/** Rows on the screen at a time, as in the error book: a slow phone draws them at once, however long the list is. */
export const WINDOW = 20
/** Rows that are read at a time where all have to be looked at: some 20 ms of a slow phone. */
const CHUNK = 200

export interface MarkedText {
  /** It names the type. */
  type: string
  stem: string
  /** The whole question, to be searched. */
  folded: string
}
export interface Marked {
  /** Those on the screen. */
  states: StudyState[]
  /** Place of the first of them, and how many there are, with the words and the filter. */
  first: number
  total: number
  /** Shows the window that begins there. */
  go: (first: number) => void
  texts: ReadonlyMap<string, MarkedText | null>
  /** The words that were asked for. */
  terms: string[]
  failed: boolean
}
type MarkedShelf = 'collected' | 'noted'
type Keeps = (state: StudyState) => boolean
interface Rows {
  states: StudyState[]
  first: number
  total: number
}

/**
 * A window of the collected or noted questions, the newest first; with words or a filter, of those that fit. Null while they are
 * read. `keeps` must stay the same function.
 */
export function useMarked(shelf: MarkedShelf, words: string, keeps: Keeps | null = null): Marked | null {
  const terms = useMemo(() => termsOf(words), [words])
  const { from, go } = useWindow(words, keeps)
  const all = terms.length > 0 || keeps !== null
  const start = all ? 0 : from
  const read = useCallback(() => (all ? readAll(shelf) : readWindow(shelf, start)), [shelf, all, start])
  const { data, failed } = useRecord(read)
  const [last, setLast] = useState<Rows | null>(null)
  // What was read before stays while more is read.
  if (data && data !== last) setLast(data)
  const within = useMemo(() => (last?.states ?? []).filter((state) => keeps?.(state) ?? true), [last, keeps])
  const wanted = all && terms.length === 0 ? windowOf(within, from).states : within
  const texts = useTexts(wanted)
  if (!last && !failed) return null
  const found = within.filter((state) => terms.every((term) => textOf(state, texts).includes(term)))
  const shown = all || !last ? windowOf(found, from) : last
  return { ...shown, go, texts, terms, failed: failed && !last }
}

/** Other words and another filter begin at the top. */
function useWindow(words: string, keeps: Keeps | null) {
  const [place, setPlace] = useState({ words, keeps, from: 0 })
  const from = place.words === words && place.keeps === keeps ? place.from : 0
  return { from, go: (first: number) => setPlace({ words, keeps, from: first }) }
}

function windowOf(states: StudyState[], from: number): Rows {
  const first = clampFirst(from, WINDOW, states.length)
  return { states: states.slice(first, first + WINDOW), first, total: states.length }
}

/** Reads the numbers of the whole shelf, and only the rows of this window. */
async function readWindow(shelf: MarkedShelf, from: number): Promise<Rows> {
  const nos = (await offline.shelfNumbers(shelf)).reverse()
  const first = clampFirst(from, WINDOW, nos.length)
  const shown = nos.slice(first, first + WINDOW)
  const states = await offline.states(shown)
  return { states: shown.flatMap((no) => states.get(no) ?? []), first, total: nos.length }
}

const MARKED_AT: Record<MarkedShelf, (state: StudyState) => number> = {
  collected: ({ collected = [] }) => Math.max(...collected.map(({ at }) => at)),
  noted: ({ notes = [] }) => Math.max(...notes.map(({ at }) => at)),
}

/** All rows, from the last key on each time, so that the page hears taps between. */
async function readAll(shelf: MarkedShelf): Promise<Rows> {
  const states = new Map<string, StudyState>()
  let from = -Infinity
  for (let limit = CHUNK; ;) {
    const read = await offline.shelf(shelf, { from, limit })
    const before = states.size
    for (const state of read) states.set(state.questionNo, state)
    const newest = read.at(-1)
    if (!newest || read.length < limit) break
    from = MARKED_AT[shelf](newest)
    // More than so many were marked at one moment.
    if (states.size === before) limit *= 2
  }
  return { states: [...states.values()].reverse(), first: 0, total: states.size }
}

const textOf = ({ questionNo, notes = [] }: StudyState, texts: Marked['texts']): string =>
  [texts.get(questionNo)?.folded ?? '', ...notes.map(({ text }) => fold(text))].join('\n')

function useTexts(states: readonly StudyState[]): Marked['texts'] {
  const [texts, setTexts] = useState<Marked['texts']>(new Map())
  // What could not be had is asked for again.
  useEffect(
    () =>
      onlineManager.subscribe((online) => {
        if (online) setTexts((old) => new Map([...old].filter(([, text]) => text !== null)))
      }),
    [],
  )
  const wanted = states
    .map(({ questionNo }) => questionNo)
    .filter((no) => !texts.has(no))
    .join()
  useEffect(() => {
    if (wanted === '') return
    // The next ones come when these are there.
    const nos = wanted.split(',').slice(0, CHUNK)
    let current = true
    const show = (found: ReadonlyMap<string, Located>) => {
      if (current) setTexts((old) => new Map([...old, ...nos.map((no) => [no, readText(no, found.get(no))] as const)]))
    }
    questionsOf(nos).then(show, () => show(new Map()))
    return () => {
      current = false
    }
  }, [wanted])
  return texts
}

function readText(no: string, located: Located | undefined): MarkedText | null {
  const stem = stemOf(no, located)
  const { question } = located ?? {}
  const part = question && partsOf(question).find((each) => each.no === no)
  if (!question || !part || stem === null) return null
  const { folded } = docOf(question, { chapterNo: '', at: 0 })
  return { type: typeName(part, question === part ? null : question), stem, folded }
}

/** As plain text; of a sub-question its own. Null: it is not here. */
export function stemOf(no: string, located: Located | undefined): string | null {
  if (!located) return null
  const part = partsOf(located.question).find((each) => each.no === no)
  return holdGaps(plainText(part?.stem ?? '') || plainText(located.question.stem))
}

/** Library and chapter of a question, as far as this device knows them. */
export function usePlaces(): (state: Pick<StudyState, 'chapterNo' | 'libraryNo'>) => string {
  const { data: libraries = [] } = useQuery(libraryListQuery())
  return (state) => homeOf(libraries, state).text
}
