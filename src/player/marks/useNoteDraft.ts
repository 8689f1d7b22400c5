import { useCallback, useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import type { StudyState } from '#src/contract/study.ts'
import { offline } from '#src/offline/index.ts'
import { idsOf, noteDraftKey } from './marks.ts'

const TYPING_MS = 300

/** A note as it is being written. */
const NoteDraft = v.object({
  text: v.string(),
  /** Kept notes that it takes the place of: the student has read them. */
  taken: v.array(v.string()),
})
export type NoteDraft = v.InferOutput<typeof NoteDraft>

/** Begins with the newest note; what another device wrote beside it is for the student to take in. */
function fromNotes({ notes = [] }: StudyState): NoteDraft {
  const newest = notes.slice(-1)
  return { text: newest[0]?.text ?? '', taken: idsOf(newest) }
}

/** What was typed last, kept through a crash; until something is, the note as it is now. Null until that is known. */
export function useNoteDraft(state: StudyState) {
  const key = noteDraftKey(state.questionNo)
  const [typed, setTyped] = useState<NoteDraft | 'nothing' | null>(null)
  const pending = useRef<NoteDraft | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const save = useCallback(() => {
    if (pending.current) void offline.saveDraft({ key, value: pending.current }).catch(() => {})
    pending.current = null
  }, [key])
  useEffect(() => {
    let current = true
    const open = (kept: unknown) => {
      const draft = v.safeParse(NoteDraft, kept)
      if (current) setTyped(draft.success ? draft.output : 'nothing')
    }
    offline.loadDraft(key).then(open, () => open(null))
    window.addEventListener('pagehide', save)
    return () => {
      current = false
      window.removeEventListener('pagehide', save)
      save()
    }
  }, [key, save])
  const change = (next: NoteDraft): void => {
    pending.current = next
    setTyped(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(save, TYPING_MS)
  }
  /** It is kept as a note now, or given up. */
  const forget = (): void => {
    pending.current = null
  }
  return { draft: typed === 'nothing' ? fromNotes(state) : typed, change, forget }
}
