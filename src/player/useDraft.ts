import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { DraftKey } from '#src/offline/drafts/kind.ts'
import type { Snapshot } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import type { PlayerState } from './playerState.ts'
import { isAsKept, snapshot } from './snapshot.ts'

const DRAFT_MS = 300

/**
 * Position at once, typed text soon after and when the page or this screen goes away. Answers carry the draft themselves: while
 * one is on its way nothing older may be written after it.
 */
export function useDraft(
  state: PlayerState,
  key: DraftKey<Snapshot> | null,
  { saving, get }: { saving: RefObject<ReadonlySet<string>>; get: () => PlayerState },
): void {
  const pending = useRef(false)
  const place = useRef(state.at)
  const save = useCallback(() => {
    if (key === null || !pending.current || saving.current.size > 0) return
    // What is ahead of the screen is kept already: nothing older may be written over it.
    void offline.saveDraft({ key, value: snapshot(get()) }).catch(() => {})
    pending.current = false
  }, [get, key, saving])
  useEffect(() => {
    // It stands there already, and another tab may have gone on from it since.
    if (isAsKept(state)) return
    pending.current = true
    const moved = place.current !== state.at
    place.current = state.at
    const timer = setTimeout(save, moved ? 0 : DRAFT_MS)
    return () => clearTimeout(timer)
  }, [state, save])
  useEffect(() => {
    window.addEventListener('pagehide', save)
    return () => {
      window.removeEventListener('pagehide', save)
      save()
    }
  }, [save])
}
