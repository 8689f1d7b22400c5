import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Thing } from '#src/contract/study.ts'
import { useThings } from '#src/offline/useThings.ts'
import type { PlacedLesson } from './lessons.ts'
import { isNews, leaveLesson, listen, type Opened, openLesson } from './watch/opened.ts'
import { NO_SOURCE, type SourceState } from './media/source.ts'
import type { Media } from './media/useMedia.ts'
import { resumeAt } from './watch/watching.ts'

/** Where it went on from, or where another device is: told until the student has decided, or has watched on. */
interface Place {
  lessonNo: string
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
  /** Opens it again where it stands: another version of it is on this device. */
  reopen: () => void
  /** The next lesson that is opened plays at once. */
  playNext: () => void
}

/** The second that the address asks for, which counts once. */
export interface FromSecond {
  second: number | undefined
  onTaken: () => void
}

/** Nearer than this, another device is where this one is. */
const NEAR_S = 5
/** So far on, nobody asks any more where it began. */
const ON_S = 10

/** A lesson in an element: opened where it was left, on whichever device; what is played of it is written down. */
export function useLesson({ element, source, state }: Media, lesson: PlacedLesson, from: FromSecond): LessonHandle {
  const { no, seconds } = lesson
  const courseNo = lesson.course.no
  const [place, setPlace] = useState<Place | null>(null)
  const opened = useRef<Opened | null>(null)
  const play = useRef(false)
  const shown = state.lessonNo === no ? state : NO_SOURCE
  const asked = useEffectEvent(() => from.second)
  const onOpened = useEffectEvent((found: Opened) => {
    setPlace(found.at > 0 && !found.asked ? { lessonNo: no, at: found.at, is: 'resumed' } : null)
    if (found.asked) from.onTaken()
  })
  useEffect(() => {
    if (!element || !source) return
    let left = false
    void openLesson({ courseNo, no, seconds, from: asked() }).then((found) => {
      if (left) return
      opened.current = found
      onOpened(found)
      source.open(no, { at: found.at, play: play.current })
      play.current = false
    })
    const stop = listen(element, () => opened.current?.watcher)
    return () => {
      left = true
      // What comes next is read first: until then nothing goes on behind another lesson's title.
      if (!element.paused) opened.current?.watcher.paused(element.currentTime)
      element.pause()
      stop()
      if (opened.current) leaveLesson(opened.current)
      opened.current = null
    }
  }, [element, source, courseNo, no, seconds])

  const seek = useCallback(
    (to: number) => {
      if (!element) return
      if (!element.paused && !element.seeking) opened.current?.watcher.played(element.currentTime)
      source?.seek(to)
    },
    [element, source],
  )
  useOtherDevice(element, opened, lesson, shown.busy, (at, untouched) => {
    if (untouched) seek(at)
    setPlace({ lessonNo: no, at, is: untouched ? 'resumed' : 'other' })
  })
  useEffect(() => {
    if (!element) return
    const goneOn = () => {
      if (!element.paused)
        setPlace((old) => (old?.is === 'resumed' && element.currentTime < old.at + ON_S ? old : null))
    }
    element.addEventListener('timeupdate', goneOn)
    return () => element.removeEventListener('timeupdate', goneOn)
  }, [element])
  const playFrom = (to: number) => {
    setPlace(null)
    seek(to)
    source?.play()
  }
  return {
    source: shown,
    place: place?.lessonNo === no ? place : null,
    seek,
    retry: () => source?.retry(),
    startOver: () => playFrom(0),
    takePlace: () => place && playFrom(place.at),
    leavePlace: () => setPlace(null),
    reopen: () => element && source?.open(no, { at: element.currentTime, play: !element.paused }),
    playNext: () => {
      play.current = true
    },
  }
}

/** Another device has watched this lesson meanwhile. Told only while it stands here: what plays is never moved. */
function useOtherDevice(
  element: HTMLMediaElement | null,
  opened: { current: Opened | null },
  { no, seconds }: PlacedLesson,
  busy: boolean,
  onPlace: (at: number, untouched: boolean) => void,
): void {
  const record = useThings('lesson')?.get(no)
  const heard = useEffectEvent((record: Thing<'lesson'>) => {
    const own = opened.current
    if (!element || own?.no !== no || !isNews(own, record.opId)) return
    const at = resumeAt(record.position, seconds)
    if (!element.paused || Math.abs(at - element.currentTime) < NEAR_S) return
    // Nobody has begun here: it simply opens where the other device is.
    const untouched = !own.asked && element.played.length === 0 && Math.abs(element.currentTime - own.at) < 1
    onPlace(at, untouched)
  })
  useEffect(() => {
    if (record && !busy) heard(record)
  }, [record, busy])
}
