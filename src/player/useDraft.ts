import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { offline } from '#src/offline/index.ts'
import { type PlayerState } from './player.ts'
import { snapshot } from './snapshot.ts'

const DRAFT_MS = 300

/**
 * Position at once, typed text soon after and when the page or this screen goes away. Answers carry the draft themselves: while
 * one is on its way nothing older may be written after it.
 */
export function useDraft(state: PlayerState, key: string | null, saving: RefObject<ReadonlySet<string>>): void {
  const pending = useRef<PlayerState | null>(null)
  const place = useRef(state.at)
  const save = useCallback(() => {
    if (key === null || !pending.current || saving.current.size > 0) return
    void offline.saveDraft({ key, value: snapshot(pending.current) }).catch(() => {})
    pending.current = null
  }, [key, saving])
  useEffect(() => {
    pending.current = state
    const moved = place.current !== state.at
    place.current = state.at
    // Nothing else keeps a choice of an exam: it is safe as soon as it is made.
    const chosen = state.mode === 'exam' && 'options' in (state.items[state.at]?.part ?? {})
    const timer = setTimeout(save, moved || chosen ? 0 : DRAFT_MS)
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
