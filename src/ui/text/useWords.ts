import { useEffect, useEffectEvent, useState } from 'react'

/** A search begins when nothing was typed for so long. */
const QUIET_MS = 300

/** What stands in the search field, and soon afterwards is searched for. */
export function useWords(q: string, onSearch: (q: string) => void) {
  const [words, setWords] = useState(q)
  const search = useEffectEvent((next: string) => next !== q && onSearch(next))
  useEffect(() => {
    const timer = setTimeout(() => search(words.trim()), QUIET_MS)
    return () => clearTimeout(timer)
  }, [words])
  return { words, onWords: setWords }
}
