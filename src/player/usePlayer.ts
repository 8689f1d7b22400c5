import { StorageError } from '#src/offline/device/idb.ts'
import { takesOne } from '#src/domain/question/choice.ts'
import { useCallback, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PlainQuestion } from '#src/contract/question.ts'
import type { Source } from '#src/contract/study.ts'
import { isAnswered } from '#src/domain/question/marking.ts'
import type { DraftKey, DraftOf } from '#src/offline/drafts/kind.ts'
import type { Snapshot } from '#src/offline/drafts/practice.ts'
import { type AnswerFact, offline, recordsAreRefused } from '#src/offline/index.ts'
// Here before the first answer: the engine asks for it only then, when the network may be gone.
import '#src/offline/record/write/write.ts'
import { answerOf } from './answer.ts'
import { buzz } from './buzz.ts'
import { patienceMs } from './patience.ts'
import { next, type PlayerEvent, type PlayerState, partState } from './playerState.ts'
import { snapshot } from './snapshot.ts'
import { useDraft } from './useDraft.ts'
import type { Stopwatch } from './stopwatch.ts'
import { useStopwatch } from './useStopwatch.ts'

const SLOW_DISK_MS = 100
type Draft = DraftOf<Snapshot>

/** Why an answer is not on the device. `lost`: this page has no storage any more, and trying again cannot help. */
export type Unsaved = StorageError['kind'] | 'refused'

export interface PlayerHandle {
  state: PlayerState
  dispatch: (event: PlayerEvent) => void
  /** Chooses and, where a tap decides, marks. `byKeyboard`: arrow keys move through radios and must not decide. */
  choose: (part: PlainQuestion, id: string, byKeyboard?: boolean) => void
  /** Marks the answer as it stands, once it is safe on this device; at once in a browser that keeps no record. */
  confirm: (part: PlainQuestion) => void
  /** Questions whose answer the device could not keep. */
  unsaved: ReadonlyMap<string, Unsaved>
  /**
   * Writes an act on this question together with the batch as `event` then leaves it, and shows it once both are on disk. False:
   * the device could not keep it.
   */
  keep: (part: PlainQuestion, write: (draft?: Draft) => Promise<unknown>, event: PlayerEvent) => Promise<boolean>
  /** What the batch is kept by; null: it is not. */
  draftKey: DraftKey<Snapshot> | null
  /** Time does not count until what comes back is called; what has counted so far is kept. Stays the same. */
  holdTime: () => () => void
  /** Tells how the time runs that is being spent on the question. */
  stopwatch: Pick<Stopwatch, 'isHeld' | 'isRunning'>
}

/**
 * Runs the pure player: records answers before showing them marked, keeps the time, saves what resumes the batch. `draftKey`
 * null: nothing is to be resumed.
 * @param record writes an answer: another one's may write more with it. Stays the same.
 */
export function usePlayer(
  initial: PlayerState,
  draftKey: DraftKey<Snapshot> | null,
  from: Source,
  record: typeof offline.recordAnswer = offline.recordAnswer,
): PlayerHandle {
  const batch = useBatch(initial)
  const { state, get, put, show, holdTime, stopwatch } = batch
  const keeping = useKeep(batch, draftKey)
  const { saving, keep } = keeping
  const { confirm, unsaved, tell } = useConfirm(batch, keeping, from, record)
  const dispatch = useCallback(
    (event: PlayerEvent) => {
      // While an answer is on its way to the disk it must stay the one that is written.
      if ('part' in event && saving.current.has(event.part.no)) return
      put(event)
      show()
    },
    [put, saving, show],
  )
  /** Nothing else keeps a choice of an exam: it is on disk before it is shown. */
  const keepChoice = useCallback(
    (part: PlainQuestion, id: string) => {
      put({ type: 'choose', part, id })
      if (draftKey === null) return show()
      offline
        .saveDraft({ key: draftKey, value: snapshot(get()) })
        .then(
          () => tell(part.no, null),
          (error: unknown) => tell(part.no, reasonOf(error)),
        )
        .finally(show)
    },
    [draftKey, get, put, show, tell],
  )
  const choose = useCallback(
    (part: PlainQuestion, id: string, byKeyboard = false) => {
      if (get().mode === 'exam' && draftKey !== null) return keepChoice(part, id)
      if (!takesOne(part) || byKeyboard || get().mode === 'exam') return dispatch({ type: 'choose', part, id })
      if (saving.current.has(part.no) || partState(get(), part).struck?.includes(id)) return
      // Marked within a frame or two: the choice by itself is drawn only when the disk is slower than that.
      put({ type: 'choose', part, id })
      confirm(part)
      setTimeout(show, SLOW_DISK_MS)
    },
    [confirm, dispatch, draftKey, get, keepChoice, put, saving, show],
  )
  useDraft(state, draftKey, { saving, get })
  return { state, dispatch, choose, confirm, unsaved, keep, draftKey, holdTime, stopwatch }
}

/** Events before which the time on the question counts. */
const ON_THE_CLOCK: ReadonlySet<PlayerEvent['type']> = new Set(['go', 'mode', 'hand-in'])

/** The batch as it is, which may be ahead of what is drawn: `put` changes it, `show` draws it. */
function useBatch(initial: PlayerState) {
  const [state, setState] = useState(initial)
  const latest = useRef(initial)
  const get = useCallback(() => latest.current, [])
  const stopwatch = useStopwatch(useCallback(() => patienceMs(get()), [get]))
  const spend = useCallback(() => {
    latest.current = next(latest.current, { type: 'spent', ...stopwatch.take() })
  }, [stopwatch])
  const put = useCallback(
    (event: PlayerEvent) => {
      if (ON_THE_CLOCK.has(event.type)) spend()
      latest.current = next(latest.current, event)
    },
    [spend],
  )
  const show = useCallback(() => setState(latest.current), [])
  const holdTime = useCallback(() => {
    spend()
    show()
    return stopwatch.hold()
  }, [spend, show, stopwatch])
  return { state, get, put, spend, show, holdTime, stopwatch }
}
type Batch = ReturnType<typeof useBatch>

/** Writes one act on a question at a time. */
function useKeep({ get, put, show }: Batch, draftKey: DraftKey<Snapshot> | null) {
  const saving = useRef(new Set<string>())
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const keep = useCallback<PlayerHandle['keep']>(
    async ({ no }, write, event) => {
      if (saving.current.has(no)) return false
      saving.current.add(no)
      const draft = () => (draftKey === null ? undefined : { key: draftKey, value: snapshot(next(get(), event)) })
      // One after another: what is written with the second must know of the first.
      const turn = last.current
        .then(() => write(draft()))
        .then(
          () => true,
          () => false,
        )
      last.current = turn
      const kept = await turn
      saving.current.delete(no)
      if (kept) put(event)
      // At once, with what else the record's change draws: one frame more is 40 ms on a slow phone.
      flushSync(show)
      return kept
    },
    [draftKey, get, put, show],
  )
  return { saving, keep }
}

/** Records answers; `unsaved` are those that the device could not keep, by question. */
function useConfirm(
  { get, spend }: Batch,
  { saving, keep }: ReturnType<typeof useKeep>,
  from: Source,
  record: typeof offline.recordAnswer,
) {
  const failed = useRef<ReadonlyMap<string, Unsaved>>(new Map())
  const [unsaved, setUnsaved] = useState<ReadonlyMap<string, Unsaved>>(new Map())
  const tell = useCallback((no: string, why: Unsaved | null) => {
    // Asked for though nothing changes, React draws once more.
    if ((failed.current.get(no) ?? null) !== why) setUnsaved((failed.current = withReason(failed.current, no, why)))
  }, [])
  const confirm = useCallback(
    (part: PlainQuestion) => {
      if (saving.current.has(part.no)) return
      spend()
      const fact = factOf(get(), part, from)
      if (!fact) return
      const { right, opId } = fact
      const write = (draft?: Draft) => {
        const written = record(fact, draft)
        // Drawn together with the mark.
        written.then(
          () => tell(part.no, null),
          (error: unknown) => tell(part.no, reasonOf(error)),
        )
        // It is marked all the same where no answer is ever saved, and said to be unsaved.
        return recordsAreRefused() ? written.catch(() => {}) : written
      }
      void keep(part, write, { type: 'marked', part, right, opId })
      buzz(right)
      if (!right) keepQuestion(get())
    },
    [from, get, keep, record, saving, spend, tell],
  )
  return { confirm, unsaved, tell }
}

/** A question that the student comes back to must be here without a network; its own screen has it already. */
export function keepQuestion({ items, at }: PlayerState): void {
  const item = items[at]
  if (!item) return
  const { part, bank = part, material, chapterNo, libraryNo } = item
  void import('#src/offline/downloads/keptQuestions.ts')
    .then(({ keepQuestions }) =>
      keepQuestions(offline.owner, [{ question: material ?? bank, chapterNo, libraryNo, retired: false }]),
    )
    .catch(() => {})
}

/** Modes in which no answer is marked by itself. */
const UNMARKED: ReadonlySet<string> = new Set(['recite', 'exam'])

/** The answer as it stands, to be recorded; null while there is nothing to record. */
function factOf(state: PlayerState, part: PlainQuestion, from: Source): AnswerFact | null {
  const item = state.items[state.at]
  const { response, right } = partState(state, part)
  if (item?.part.no !== part.no || right !== null || UNMARKED.has(state.mode)) return null
  if (!isAnswered(response) && state.mode !== 'review') return null
  return answerOf(state, item, from)
}

function withReason(
  reasons: ReadonlyMap<string, Unsaved>,
  no: string,
  why: Unsaved | null,
): ReadonlyMap<string, Unsaved> {
  const others = [...reasons].filter(([each]) => each !== no)
  return new Map(why ? [...others, [no, why]] : others)
}
const reasonOf = (error: unknown): Unsaved => (error instanceof StorageError ? error.kind : 'refused')
