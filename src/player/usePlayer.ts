import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { PlainQuestion } from '#src/contract/question.ts'
import { isAnswered } from '#src/domain/marking.ts'
import { offline } from '#src/offline/index.ts'
import { marksOnTap, next, type PlayerEvent, type PlayerState, partState, snapshot, verdict } from './player.ts'

const DRAFT_MS = 300
const SLOW_DISK_MS = 100

export interface PlayerHandle {
  state: PlayerState
  dispatch: (event: PlayerEvent) => void
  /** Chooses and, where a tap decides, marks. `byKeyboard`: arrow keys move through radios and must not decide. */
  choose: (part: PlainQuestion, id: string, byKeyboard?: boolean) => void
  /** Marks the answer as it stands, once it is safe on this device. */
  confirm: (part: PlainQuestion) => void
  /** Questions whose answer the device could not keep. */
  unsaved: ReadonlySet<string>
}

/** Runs the pure player: records answers before showing them marked, keeps the time, saves what resumes the batch. `draftKey` null: nothing is to be resumed. */
export function usePlayer(initial: PlayerState, draftKey: string | null): PlayerHandle {
  const [state, setState] = useState(initial)
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set())
  const latest = useRef(initial)
  const saving = useRef(new Set<string>())
  const takeSpent = useStopwatch()

  const dispatch = useCallback(
    (event: PlayerEvent) => {
      // While an answer is on its way to the disk it must stay the one that is written.
      if ('part' in event && event.type !== 'marked' && saving.current.has(event.part.no)) return
      const timed =
        event.type === 'go' || event.type === 'mode'
          ? next(latest.current, { type: 'spent', ms: takeSpent() })
          : latest.current
      latest.current = next(timed, event)
      setState(latest.current)
    },
    [takeSpent],
  )

  const confirm = useCallback(
    (part: PlainQuestion) => {
      latest.current = next(latest.current, { type: 'spent', ms: takeSpent() })
      const { response, right, spentMs } = partState(latest.current, part)
      const item = latest.current.items[latest.current.at]
      if (
        !item ||
        right !== null ||
        !isAnswered(response) ||
        saving.current.has(part.no) ||
        latest.current.mode === 'recite'
      )
        return
      saving.current.add(part.no)
      const marked: PlayerEvent = { type: 'marked', part, right: verdict(latest.current, part) }
      const { chapterNo, libraryNo } = item
      const fact = {
        questionNo: part.no,
        response,
        spentMs,
        from: 'library' as const,
        right: marked.right,
        chapterNo,
        libraryNo,
        at: Date.now(),
      }
      offline
        .recordAnswer(
          fact,
          draftKey === null ? undefined : { key: draftKey, value: snapshot(next(latest.current, marked)) },
        )
        .then(
          () => {
            setUnsaved((old) => (old.has(part.no) ? new Set([...old].filter((no) => no !== part.no)) : old))
            dispatch(marked)
          },
          () => {
            setState(latest.current)
            setUnsaved((old) => new Set(old).add(part.no))
          },
        )
        .finally(() => saving.current.delete(part.no))
    },
    [dispatch, draftKey, takeSpent],
  )

  const choose = useCallback(
    (part: PlainQuestion, id: string, byKeyboard = false) => {
      if (!marksOnTap(part) || byKeyboard) return dispatch({ type: 'choose', part, id })
      if (saving.current.has(part.no)) return
      // Marked within a frame or two: the choice by itself is drawn only when the disk is slower than that.
      latest.current = next(latest.current, { type: 'choose', part, id })
      confirm(part)
      setTimeout(() => setState(latest.current), SLOW_DISK_MS)
    },
    [confirm, dispatch],
  )

  useDraft(state, draftKey, saving)
  return { state, dispatch, choose, confirm, unsaved }
}

/** Ms since it was last taken, not counting while the page is hidden. */
function useStopwatch(): () => number {
  const spent = useRef(0)
  const since = useRef<number | null>(null)
  const stop = useCallback(() => {
    if (since.current !== null) spent.current += performance.now() - since.current
    since.current = null
  }, [])
  useEffect(() => {
    const follow = () => {
      if (document.visibilityState === 'hidden') stop()
      else since.current ??= performance.now()
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => document.removeEventListener('visibilitychange', follow)
  }, [stop])
  return useCallback(() => {
    stop()
    const ms = spent.current
    spent.current = 0
    if (document.visibilityState !== 'hidden') since.current = performance.now()
    return ms
  }, [stop])
}

/**
 * Position at once, typed text soon after and when the page or this screen goes away. Answers carry the draft themselves: while
 * one is on its way nothing older may be written after it.
 */
function useDraft(state: PlayerState, key: string | null, saving: RefObject<ReadonlySet<string>>): void {
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
