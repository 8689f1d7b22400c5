import { onlineManager } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '#src/api/client.ts'
import { course } from '#src/contract/course.ts'
import { snippet, termsOf } from '#src/domain/text/searchText.ts'
import type { Query, LessonHit } from '#src/search/client.ts'

/** Longer than what is on the device takes: the server is asked for what somebody has typed to its end. */
const TYPING_MS = 500
const NONE: readonly LessonHit[] = []

/** What lessons that are not on this device say of it, as far as the student may open them; nothing without a network. */
export function useSaidOnline({ text, scope, subject }: Query): readonly LessonHit[] {
  const [found, setFound] = useState<{ of: string; hits: readonly LessonHit[] }>({ of: '', hits: NONE })
  const words = text.trim()
  useEffect(() => {
    if (words === '' || scope !== 'all' || !onlineManager.isOnline()) return
    const left = new AbortController()
    const ask = async () => {
      const terms = termsOf(words)
      const answer = await call(course.said, { words: terms.join(' ') }, { signal: left.signal })
      const hits = answer.found.map(({ text: said, ...place }) => ({ ...place, pieces: snippet(said, terms) }))
      if (!left.signal.aborted) setFound({ of: words, hits })
    }
    const timer = setTimeout(() => {
      // What is on the device is found without it.
      ask().catch(() => {})
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [words, scope])
  if (found.of !== words || scope !== 'all') return NONE
  return found.hits.filter((hit) => subject === undefined || hit.course.subject === subject)
}

export const keyOf = ({ lesson, at }: LessonHit): string => `${lesson.no} ${at}`

/** What is on the device first: it plays without a network. What both have found comes once. */
export function together(here: readonly LessonHit[], online: readonly LessonHit[]): LessonHit[] {
  const known = new Set(here.map(keyOf))
  return [...here, ...online.filter((hit) => !known.has(keyOf(hit)))]
}
