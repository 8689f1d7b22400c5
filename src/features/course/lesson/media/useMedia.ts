import { useCallback, useState } from 'react'
import type { Doors } from './doors.ts'
import { LessonSource, NO_SOURCE, type SourceState } from './source.ts'

export interface Media {
  element: HTMLMediaElement | null
  /** Brings lessons to the element; null without one. */
  source: LessonSource | null
  state: SourceState
  /** For the element's ref. */
  attach: (element: HTMLMediaElement | null) => (() => void) | undefined
}

/** The element of a screen and what brings lessons to it: they live as long as each other. */
export function useMedia(doors: Doors): Media {
  const [opened, setOpened] = useState<{ element: HTMLMediaElement; source: LessonSource } | null>(null)
  const [state, setState] = useState<SourceState>(NO_SOURCE)
  const attach = useCallback(
    (element: HTMLMediaElement | null) => {
      if (!element) return undefined
      const source = new LessonSource(element, doors, setState)
      setOpened({ element, source })
      return () => {
        source.end()
        setOpened(null)
      }
    },
    [doors],
  )
  return { element: opened?.element ?? null, source: opened?.source ?? null, state, attach }
}
