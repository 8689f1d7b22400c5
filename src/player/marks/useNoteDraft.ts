import { useCallback, useEffect, useRef, useState } from 'react'
import type { StudyState } from '#src/contract/study.ts'
import { type TypedNote, typedNote } from '#src/offline/drafts/player.ts'
import { offline } from '#src/offline/index.ts'
import { idsOf } from './writeMarks.ts'

const TYPING_MS = 300

/** Begins with the newest note; what another device wrote beside it is for the student to take in. */
function fromNotes({ notes = [] }: StudyState): TypedNote {
  const newest = notes.slice(-1)
  return { text: newest[0]?.text ?? '', taken: idsOf(newest) }
}

/** What was typed last, kept through a crash; until something is, the note as it is now. Null until that is known. */
export function useNoteDraft(state: StudyState) {
  const key = typedNote.key(state.questionNo)
  const [typed, setTyped] = useState<TypedNote | 'nothing' | null>(null)
  const pending = useRef<TypedNote | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const save = useCallback(() => {
    if (pending.current) void offline.saveDraft({ key, value: pending.current }).catch(() => {})
    pending.current = null
  }, [key])
  useEffect(() => {
    let current = true
    const open = (kept: unknown) => {
      if (current) setTyped(typedNote.read(kept) ?? 'nothing')
    }
    offline.loadDraft(key).then(open, () => open(null))
    window.addEventListener('pagehide', save)
    return () => {
      current = false
      window.removeEventListener('pagehide', save)
      save()
    }
  }, [key, save])
  const change = (next: TypedNote): void => {
    pending.current = next
    setTyped(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(save, TYPING_MS)
  }
  /** It is kept as a note now, or given up. */
  const forget = (): void => {
    pending.current = null
  }
  const kept = fromNotes(state)
  const draft = typed === 'nothing' ? kept : typed
  return { draft, isUnsaved: draft !== null && draft.text !== '' && draft.text !== kept.text, change, forget }
}
