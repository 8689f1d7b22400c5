import { useMemo, useState } from 'react'
import { markedIn, type Piece, termsOf } from '#src/domain/text/searchText.ts'
import { findLines, type SaidLine, transcriptOf } from '#src/domain/course/transcript.ts'

export interface Finding {
  /** Something was asked for. */
  asked: boolean
  count: number
  /** Which of them is looked at, from 0. */
  at: number
  /** The line of that one; null: nothing is looked for, or nothing was found. */
  line: number | null
  /** The found lines in pieces, by their place. */
  marked: ReadonlyMap<number, Piece[]>
  ask: (words: string) => void
  step: (by: 1 | -1) => void
}

/** What is looked for in a transcript. It begins behind what is heard now, and goes round. */
export function useFinding(lines: readonly SaidLine[], heard: number): Finding {
  const [words, setWords] = useState('')
  const [at, setAt] = useState(0)
  const transcript = useMemo(() => transcriptOf(lines), [lines])
  const { found, marked } = useMemo(() => {
    const terms = termsOf(words)
    const found = findLines(transcript, terms)
    const all =
      found.length > 0
        ? markedIn(
            transcript.lines.map(({ text }) => text),
            terms,
          )
        : []
    const places = found.flatMap(({ line, count }) => (count === 2 ? [line, line + 1] : [line]))
    return { found, marked: new Map(places.map((place) => [place, all[place] ?? []])) }
  }, [transcript, words])
  const ask = (next: string) => {
    const first = findLines(transcript, termsOf(next)).findIndex(({ line }) => line >= heard)
    setWords(next)
    setAt(Math.max(0, first))
  }
  const step = (by: 1 | -1) => setAt((old) => (found.length > 0 ? (old + by + found.length) % found.length : 0))
  return {
    asked: termsOf(words).length > 0,
    count: found.length,
    at,
    line: found[at]?.line ?? null,
    marked,
    ask,
    step,
  }
}
