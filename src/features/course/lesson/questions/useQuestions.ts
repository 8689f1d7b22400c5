import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { LessonQuestion } from '#src/contract/course.ts'
import { watchPrefs } from '../prefs.ts'
import type { SourceState } from '../media/source.ts'
import { type Asking, dueBetween, NOTHING_ASKED, type Outcome, settled } from './asking.ts'
import { leaveNativeFullscreen } from './nativeFullscreen.ts'

export interface QuestionsHandle extends Asking {
  questions: readonly LessonQuestion[]
  /** The lesson stops for questions, as this student likes it. */
  stops: boolean
  toggleStops: () => void
  /** Shows a question that the student has picked, wherever the lesson stands. */
  ask: (question: LessonQuestion) => void
  /**
   * The student is done with the question on the screen: the next one of the same moment comes, or the lesson goes on.
   * @param goOn the student asked for that; else it goes on only if it was playing
   */
  done: (outcome: Outcome, goOn: boolean) => void
}

const NONE: readonly never[] = []

/**
 * Stops a lesson where it asks something. A page out of sight goes on: a lesson that is heard with the screen off does not fall
 * silent for a question that nobody sees.
 * @param ready what shows a question has come; until then nothing stops
 */
export function useQuestions(
  element: HTMLMediaElement | null,
  { media }: SourceState,
  ready: boolean,
): QuestionsHandle {
  const questions = media?.questions ?? NONE
  const [asking, get, put] = useAsking(media?.lesson ?? '')
  const [stops, setStops] = useState(watchPrefs.questions)
  /** Up to here it has played without being asked about. */
  const from = useRef(0)
  const played = useRef(false)
  const stop = useCallback(
    (question: LessonQuestion) => {
      played.current = element !== null && !element.paused
      element?.pause()
      leaveNativeFullscreen(element)
      put({ ...get(), asked: question })
    },
    [element, get, put],
  )
  const onTime = useEffectEvent(({ currentTime, paused, seeking }: HTMLMediaElement) => {
    if (get().asked) return
    const looks = ready && stops && document.visibilityState === 'visible'
    const due = looks && !paused && !seeking ? dueBetween(questions, get(), from.current, currentTime) : null
    if (due) stop(due)
    else from.current = currentTime
  })
  useEffect(() => {
    if (!element) return
    const ended = new AbortController()
    const on = (type: string, act: () => void) => element.addEventListener(type, act, { signal: ended.signal })
    on('timeupdate', () => onTime(element))
    on('seeking', () => void (from.current = element.currentTime))
    // By the keys of a headset, or from the lock screen.
    on('play', () => get().asked && put(settled(get(), 'skipped')))
    return () => ended.abort()
  }, [element, get, put])
  const done = (outcome: Outcome, goOn: boolean) => {
    const next = settled(get(), outcome)
    const due = element && stops ? dueBetween(questions, next, from.current, element.currentTime) : null
    put({ ...next, asked: due })
    if (due || !element) return
    from.current = element.currentTime
    // From its end it would begin anew.
    if ((goOn || played.current) && !element.ended) element.play().catch(() => {})
  }
  const toggleStops = () => {
    watchPrefs.setQuestions(!stops)
    setStops(!stops)
  }
  return { ...asking, questions, stops, toggleStops, ask: stop, done }
}

/** What was asked of this lesson, which begins anew with each lesson. What an element tells between two drawings reads `get`. */
function useAsking(lessonNo: string): [Asking, () => Asking, (next: Asking) => void] {
  const [state, setState] = useState({ lessonNo, asking: NOTHING_ASKED })
  const latest = useRef(state)
  const get = useCallback(
    () => (latest.current.lessonNo === lessonNo ? latest.current.asking : NOTHING_ASKED),
    [lessonNo],
  )
  const put = useCallback(
    (next: Asking) => {
      latest.current = { lessonNo, asking: next }
      setState(latest.current)
    },
    [lessonNo],
  )
  return [state.lessonNo === lessonNo ? state.asking : NOTHING_ASKED, get, put]
}
