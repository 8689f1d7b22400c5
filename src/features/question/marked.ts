import { onlineManager, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { homeOf, libraryListQuery } from '#src/api/libraries.ts'
import type { Located } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { partsOf } from '#src/domain/study.ts'
import { plainText } from '#src/domain/plainText.ts'
import { offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { fold, termsOf } from '#src/domain/searchText.ts'
import { docOf } from '#src/search/text.ts'
import { questionsOf } from './listStudy.ts'

/** Rows that come at a time. */
const PAGE = 40

export interface MarkedText {
  stem: string
  /** The whole question, to be searched. */
  folded: string
}
export interface Marked {
  states: StudyState[]
  /** Null: not on this device, nor to be had now. Without an entry: on its way. */
  texts: ReadonlyMap<string, MarkedText | null>
  /** The words that were asked for. */
  terms: string[]
  failed: boolean
  /** Null: all are shown. */
  onMore: (() => void) | null
}

/**
 * Collected or noted questions, the newest first and as many as are shown; with words or a filter, of all there are. Null while
 * they are read. `keeps` must stay the same function.
 */
export function useMarked(
  shelf: 'collected' | 'noted',
  words: string,
  keeps: ((state: StudyState) => boolean) | null = null,
): Marked | null {
  const [limit, setLimit] = useState(PAGE)
  const terms = useMemo(() => termsOf(words), [words])
  const all = terms.length > 0 || keeps !== null
  // One more than is shown tells whether there are more.
  const read = useCallback(
    () => offline.shelf(shelf, { backwards: true, limit: all ? Infinity : limit + 1 }),
    [shelf, all, limit],
  )
  const { data, failed } = useRecord(read)
  const [last, setLast] = useState<StudyState[] | null>(null)
  // What was read before stays while more is read.
  if (data && data !== last) setLast(data)
  const within = useMemo(() => (last ?? []).filter((state) => keeps?.(state) ?? true), [last, keeps])
  const texts = useTexts(terms.length > 0 ? within : within.slice(0, limit))
  const found = within.filter((state) => terms.every((term) => textOf(state, texts).includes(term)))
  if (!last && !failed) return null
  return {
    states: found.slice(0, limit),
    texts,
    terms,
    failed: failed && !last,
    onMore: found.length > limit ? () => setLimit(limit + PAGE) : null,
  }
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
    const nos = wanted.split(',')
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
  return located && stem !== null ? { stem, folded: docOf(located.question, { chapterNo: '', at: 0 }).folded } : null
}

/** As plain text; of a sub-question its own. Null: it is not here. */
export function stemOf(no: string, located: Located | undefined): string | null {
  if (!located) return null
  const part = partsOf(located.question).find((each) => each.no === no)
  return plainText(part?.stem ?? '') || plainText(located.question.stem)
}

/** Library and chapter of a question, as far as this device knows them. */
export function usePlaces(): (state: Pick<StudyState, 'chapterNo' | 'libraryNo'>) => string {
  const { data: libraries = [] } = useQuery(libraryListQuery())
  return (state) => homeOf(libraries, state).text
}
