import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { serverNow } from '#src/offline/clock.ts'
import { offline } from '#src/offline/index.ts'
import { useThings } from '#src/offline/useThings.ts'
import type { Doors } from './doors.ts'
import type { PlacedLesson } from './lessons.ts'
import { LessonSource, NO_SOURCE, type SourceState } from './source.ts'
import { recoverWatched, Watcher } from './watcher.ts'
import { resumeAt } from './watching.ts'

/** Where it went on from, or where another device is: told until the student has decided, or has watched on. */
export interface Place {
  at: number
  /** resumed: it stands there already; other: it can go there. */
  is: 'resumed' | 'other'
}
export interface LessonHandle {
  source: SourceState
  place: Place | null
  retry: () => void
  seek: (to: number) => void
  startOver: () => void
  takePlace: () => void
  leavePlace: () => void
  /** The next lesson that is opened plays at once. */
  playNext: () => void
}

const CLOCKS = { now: serverNow, nowMs: () => performance.now() }
/** Nearer than this, another device is where this one is. */
const NEAR_S = 5
/** So far on, nobody asks any more where it began. */
const ON_S = 10

/** A lesson in an element: opened where it was left, on whichever device; what is played of it is written down. */
export function useLesson(element: HTMLMediaElement | null, lesson: PlacedLesson, doors: Doors): LessonHandle {
  const [state, setState] = useState<SourceState>(NO_SOURCE)
  const [source, setSource] = useState<LessonSource | null>(null)
  const [place, setPlace] = useState<Place | null>(null)
  const watching = useRef<Opened | null>(null)
  const play = useRef(false)
  const records = useThings('lesson')
  useEffect(() => {
    if (!element) return
    const opened = new LessonSource(element, doors, setState)
    setSource(opened)
    return () => opened.end()
  }, [element, doors])

  const { no, seconds } = lesson
  const courseNo = lesson.course.no
  useEffect(() => {
    if (!element || !source) return
    let left = false
    setState(NO_SOURCE)
    setPlace(null)
    void openLesson({ courseNo, no, seconds }).then((opened) => {
      if (left) return
      watching.current = opened
      if (opened.at > 0) setPlace({ at: opened.at, is: 'resumed' })
      source.open(no, { at: opened.at, play: play.current })
      play.current = false
    })
    const stop = listen(element, () => watching.current?.watcher ?? null)
    return () => {
      left = true
      stop()
      void watching.current?.watcher.close()
      watching.current = null
    }
  }, [element, source, courseNo, no, seconds])

  const seek = useCallback(
    (to: number) => {
      if (!element) return
      if (!element.paused && !element.seeking) watching.current?.watcher.played(element.currentTime)
      element.currentTime = Math.max(0, Math.min(to, Number.isFinite(element.duration) ? element.duration : to))
    },
    [element],
  )
  const record = records?.get(no)
  const heard = useEffectEvent(() => {
    const opened = watching.current
    if (!element || !opened || !record || record.opId === opened.opId || opened.watcher.isOwn(record.opId)) return
    opened.opId = record.opId
    const at = resumeAt(record.position, seconds)
    if (!element.paused || Math.abs(at - element.currentTime) < NEAR_S) return
    // Nobody has begun here: it simply opens where the other device is.
    const untouched = element.played.length === 0 && Math.abs(element.currentTime - opened.at) < 1
    if (untouched) seek(at)
    if (untouched) opened.at = at
    setPlace({ at, is: untouched ? 'resumed' : 'other' })
  })
  useEffect(() => heard(), [record, state.busy])
  useEffect(() => {
    if (!element) return
    const goneOn = () =>
      !element.paused &&
      setPlace((old) => (old && element.currentTime < old.at + ON_S && old.is === 'resumed' ? old : null))
    element.addEventListener('timeupdate', goneOn)
    return () => element.removeEventListener('timeupdate', goneOn)
  }, [element])
  const goTo = (to: number) => {
    setPlace(null)
    seek(to)
    element?.play().catch(() => {})
  }
  return {
    source: state,
    place,
    seek,
    retry: () => source?.retry(),
    startOver: () => goTo(0),
    takePlace: () => place && goTo(place.at),
    leavePlace: () => setPlace(null),
    playNext: () => (play.current = true),
  }
}

interface Opened {
  watcher: Watcher
  /** Where it was opened. */
  at: number
  /** The newest word on its place that this page knows. */
  opId: string
}

let recovered: Promise<void> | null = null

async function openLesson({
  courseNo,
  no,
  seconds,
}: {
  courseNo: string
  no: string
  seconds: number
}): Promise<Opened> {
  // A device that cannot read its record begins at 0 rather than not at all.
  await (recovered ??= recoverWatched(offline).catch(() => {}))
  const known = await offline.things('lesson').then(
    (things) => things.get(no),
    () => undefined,
  )
  const at = resumeAt(known?.position ?? 0, seconds)
  return { at, opId: known?.opId ?? '', watcher: new Watcher({ courseNo, lessonNo: no, at }, offline, CLOCKS) }
}

/** What the element does, told to who writes it down. */
function listen(element: HTMLMediaElement, watcher: () => Watcher | null): () => void {
  const ended = new AbortController()
  const { signal } = ended
  const heard = () => {
    if (!element.paused && !element.seeking) watcher()?.played(element.currentTime)
  }
  const stands = () => watcher()?.stopped()
  const on = (type: string, act: () => void) => element.addEventListener(type, act, { signal })
  on('playing', heard)
  on('timeupdate', heard)
  on('seeking', () => watcher()?.jumped(element.currentTime))
  on('waiting', stands)
  on('emptied', stands)
  on('pause', () => {
    if (element.seeking) stands()
    else watcher()?.paused(element.currentTime)
    void watcher()?.flush('pause')
  })
  on('ended', () => void watcher()?.flush('end'))
  const hide = () => {
    if (document.visibilityState === 'visible') return
    heard()
    void watcher()?.flush('hidden')
  }
  document.addEventListener('visibilitychange', hide, { signal })
  window.addEventListener('pagehide', () => void watcher()?.flush('hidden'), { signal })
  return () => ended.abort()
}
