import { type RefObject, useCallback, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PlainQuestion } from '#src/contract/question.ts'
import type { Source } from '#src/contract/study.ts'
import { isAnswered } from '#src/domain/marking.ts'
import { placeOf } from '#src/domain/study.ts'
import { type AnswerFact, type DraftOf, offline } from '#src/offline/index.ts'
import { marksOnTap, next, type PlayerEvent, type PlayerState, partState, snapshot, verdict } from './player.ts'
import { useDraft } from './useDraft.ts'
import { useStopwatch } from './useStopwatch.ts'

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
  /**
   * Writes an act on this question together with the batch as `event` then leaves it, and shows it once both are on disk. False:
   * the device could not keep it.
   */
  keep: (
    part: PlainQuestion,
    write: (draft?: DraftOf) => Promise<string>,
    event: (opId: string) => PlayerEvent,
  ) => Promise<boolean>
  /** What the batch is kept by; null: it is not. */
  draftKey: string | null
}

/**
 * Runs the pure player: records answers before showing them marked, keeps the time, saves what resumes the batch. `draftKey`
 * null: nothing is to be resumed. `from`: what kind of screen this is.
 */
export function usePlayer(initial: PlayerState, draftKey: string | null, from: Source = 'library'): PlayerHandle {
  const [state, setState] = useState(initial)
  const latest = useRef(initial)
  const saving = useRef(new Set<string>())
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set())
  const takeSpent = useStopwatch()
  const change = useCallback((event: PlayerEvent) => setState((latest.current = next(latest.current, event))), [])

  const dispatch = useCallback(
    (event: PlayerEvent) => {
      // While an answer is on its way to the disk it must stay the one that is written.
      if ('part' in event && saving.current.has(event.part.no)) return
      if (event.type === 'go' || event.type === 'mode' || event.type === 'hand-in')
        change({ type: 'spent', ms: takeSpent() })
      change(event)
    },
    [change, takeSpent],
  )

  const keep = useCallback<PlayerHandle['keep']>(
    async ({ no }, write, event) => {
      if (saving.current.has(no)) return false
      saving.current.add(no)
      const draft = draftKey === null ? undefined : draftOf(draftKey, latest, event)
      const opId = await write(draft).catch(() => null)
      saving.current.delete(no)
      // At once, with what else the record's change draws: one frame more is 40 ms on a slow phone.
      flushSync(() => {
        if (opId === null) setState(latest.current)
        else change(event(opId))
      })
      return opId !== null
    },
    [change, draftKey],
  )

  const confirm = useCallback(
    (part: PlainQuestion) => {
      if (saving.current.has(part.no)) return
      latest.current = next(latest.current, { type: 'spent', ms: takeSpent() })
      const fact = factOf(latest.current, part, from)
      if (!fact) return
      const tell = (kept: boolean) => setUnsaved((old) => withOrWithout(old, part.no, !kept))
      const write = (draft?: DraftOf) => {
        const written = offline.recordAnswer(fact, draft)
        written.then(
          () => tell(true),
          () => tell(false),
        )
        return written
      }
      void keep(part, write, (opId) => ({ type: 'marked', part, right: fact.right, opId }))
      if (!fact.right) keepQuestion(latest.current)
    },
    [from, keep, takeSpent],
  )

  const choose = useCallback(
    (part: PlainQuestion, id: string, byKeyboard = false) => {
      if (!marksOnTap(part) || byKeyboard || latest.current.mode === 'exam')
        return dispatch({ type: 'choose', part, id })
      if (saving.current.has(part.no) || partState(latest.current, part).struck?.includes(id)) return
      // Marked within a frame or two: the choice by itself is drawn only when the disk is slower than that.
      latest.current = next(latest.current, { type: 'choose', part, id })
      confirm(part)
      setTimeout(() => setState(latest.current), SLOW_DISK_MS)
    },
    [confirm, dispatch],
  )

  useDraft(state, draftKey, saving)
  return { state, dispatch, choose, confirm, unsaved, keep, draftKey }
}

/** The batch as it is by then: another question may have been gone to meanwhile. */
const draftOf =
  (key: string, latest: RefObject<PlayerState>, event: (opId: string) => PlayerEvent): DraftOf =>
  (opId) => ({ key, value: snapshot(next(latest.current, event(opId))) })

/** A question that the student comes back to must be here without a network; its own screen has it already. */
export function keepQuestion({ items, at }: PlayerState): void {
  const item = items[at]
  if (!item) return
  const { part, material, chapterNo, libraryNo } = item
  void import('#src/offline/questions.ts')
    .then(({ keepQuestions }) =>
      keepQuestions(offline.owner, [{ question: material ?? part, chapterNo, libraryNo, retired: false }]),
    )
    .catch(() => {})
}

/** Modes in which no answer is marked by itself. */
const UNMARKED: ReadonlySet<string> = new Set(['recite', 'exam'])

/** The answer as it stands, to be recorded; null while there is nothing to record. */
function factOf(state: PlayerState, part: PlainQuestion, from: Source): AnswerFact | null {
  const item = state.items[state.at]
  const { response, right, spentMs } = partState(state, part)
  if (item?.part.no !== part.no || right !== null || UNMARKED.has(state.mode)) return null
  if (!isAnswered(response) && state.mode !== 'review') return null
  return {
    questionNo: part.no,
    response,
    spentMs,
    from,
    version: part.version ?? 1,
    right: verdict(state, part),
    place: placeOf(part, item),
  }
}

function withOrWithout(set: ReadonlySet<string>, no: string, has: boolean): ReadonlySet<string> {
  if (set.has(no) === has) return set
  return new Set(has ? [...set, no] : [...set].filter((each) => each !== no))
}
