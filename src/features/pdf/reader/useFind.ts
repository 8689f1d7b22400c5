import { useEffect, useMemo, useState } from 'react'
import { foldWords, type Match, matchesIn, MOST_MATCHES } from './find.ts'
import type { Texts } from './texts.ts'

export interface Find {
  words: string
  search: (words: string) => void
  matches: readonly Match[]
  /** Those of each page. */
  onPage: ReadonlyMap<number, readonly Match[]>
  /** Place in `matches` of the one that is looked at; −1: none. */
  active: number
  /** Pages read of all, while there are more to be read; null: done. */
  reading: number | null
  /** False once every page was read and none has text: a scan. */
  hasText: boolean
  step: (by: 1 | -1) => void
}
interface Found {
  of: string
  matches: Match[]
  active: number
  reading: number | null
  hasText: boolean
}
const NOTHING: Found = { of: '', matches: [], active: -1, reading: null, hasText: true }
const TYPING_MS = 200
/** How often what was found so far is shown. */
const SHOW_MS = 150

/** @param page the one that is read: the first match from there on is looked at first. */
export function useFind(texts: Texts, count: number, page: number): Find {
  const [words, setWords] = useState('')
  const [found, setFound] = useState(NOTHING)
  const [from, setFrom] = useState(0)
  const folded = foldWords(words)
  useEffect(() => {
    const run = new AbortController()
    const timer = setTimeout(
      () => void searchAll({ texts, count, words: folded, from }, run.signal, setFound),
      TYPING_MS,
    )
    return () => {
      clearTimeout(timer)
      run.abort()
    }
  }, [texts, count, folded, from])
  const { matches } = found
  const onPage = useMemo(() => byPage(matches), [matches])
  return {
    words,
    search: (next) => {
      setFrom(page)
      setWords(next)
    },
    matches,
    onPage,
    active: found.active,
    reading: folded === found.of ? found.reading : 0,
    hasText: found.hasText,
    step: (by) =>
      setFound((was) =>
        was.matches.length === 0
          ? was
          : { ...was, active: (was.active + by + was.matches.length) % was.matches.length },
      ),
  }
}

interface Search {
  texts: Texts
  count: number
  words: string
  from: number
}

/** Page by page; what was found is shown as it comes, and a page's matches stay the same objects. */
async function searchAll(
  { texts, count, words, from }: Search,
  signal: AbortSignal,
  show: (change: (was: Found) => Found) => void,
): Promise<void> {
  const matches: Match[] = []
  let shown = 0
  let hasText = false
  const tell = (reading: number | null) => {
    const next = matches.findIndex(({ page }) => page >= from)
    const first = next >= 0 ? next : reading === null && matches.length > 0 ? 0 : -1
    show((was) => ({
      of: words,
      matches: [...matches],
      // One that the student went to meanwhile stays the one looked at.
      active: was.of === words && was.active >= 0 ? was.active : first,
      reading,
      hasText: hasText || reading !== null,
    }))
    shown = performance.now()
  }
  if (words === '') return show(() => NOTHING)
  for (let page = 0; page < count && matches.length < MOST_MATCHES; page++) {
    const text = await texts.of(page)
    if (signal.aborted) return
    hasText ||= text.folded !== ''
    matches.push(...matchesIn(text, words, page))
    if (performance.now() - shown > SHOW_MS) tell(page + 1)
  }
  tell(null)
}

function byPage(matches: readonly Match[]): ReadonlyMap<number, readonly Match[]> {
  const pages = new Map<number, Match[]>()
  for (const match of matches) {
    const others = pages.get(match.page)
    if (others) others.push(match)
    else pages.set(match.page, [match])
  }
  return pages
}
