import { useMemo, useState } from 'react'
import { askLesson } from './askLesson.ts'
import type { Doors } from './doors.ts'
import type { LessonPlayerProps } from './LessonPlayer.tsx'
import { beside, type PlacedLesson } from './lessons.ts'
import { STEP_S } from './parts/AudioDeck.tsx'
import { speedBeside, watchPrefs } from './prefs.ts'
import { useCues, useTracks } from './tracks.ts'
import { useAwake } from './useAwake.ts'
import { usePlays } from './useElement.ts'
import { useKeys } from './useKeys.ts'
import { useLesson } from './useLesson.ts'
import { useMediaSession } from './useMediaSession.ts'
import { useSleep } from './useSleep.ts'
import { useSpeed } from './useSpeed.ts'

export type Sheet = 'speed' | 'sleep' | 'keys'

/** Everything that a lesson's screen shows and does, around one element. */
export function usePlayer({ lesson, lessons, kept, onLesson }: LessonPlayerProps) {
  const [element, setElement] = useState<HTMLMediaElement | null>(null)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const doors = useMemo<Doors>(() => ({ ask: askLesson, kept }), [kept])
  const handle = useLesson(element, lesson, doors)
  const plays = usePlays(element)
  const audio = lesson.course.kind === 'audio'
  const [speed, setSpeed] = useSpeed(element, lesson.course.no)
  const sleep = useSleep(element, plays)
  const [goesOn, toggleGoesOn] = useRemembered(watchPrefs.goesOn, watchPrefs.setGoesOn)
  const [subtitles, toggleSubtitles] = useRemembered(watchPrefs.subtitles, watchPrefs.setSubtitles)
  const tracks = useTracks(handle.source)
  const cues = useCues(element, tracks, audio ? 'read' : subtitles ? 'show' : 'off')
  const go = (to: PlacedLesson) => {
    handle.playNext()
    onLesson(to)
  }
  const previous = beside(lessons, lesson.no, -1)
  const next = beside(lessons, lesson.no, 1)
  const onPrevious = previous && (() => go(previous))
  const onNext = next && (() => go(next))
  useAwake(plays && !audio)
  useMediaSession(element, lesson, { seek: handle.seek, step: audio ? STEP_S : 10, previous: onPrevious, next: onNext })
  useKeys(element, {
    seek: handle.seek,
    speed: (by) => setSpeed(speedBeside(speed, by)),
    subtitles: toggleSubtitles,
    next: () => onNext?.(),
    help: () => setSheet('keys'),
  })
  return {
    ...{ element, setElement, handle, audio, speed, setSpeed, sleep, goesOn, toggleGoesOn, subtitles, toggleSubtitles },
    ...{ tracks, cues, go, next, onPrevious, onNext, sheet, setSheet },
  }
}
export type PlayerHandle = ReturnType<typeof usePlayer>

/** A switch that the device remembers. */
function useRemembered(read: () => boolean, write: (on: boolean) => void): [boolean, () => void] {
  const [on, setOn] = useState(read)
  const toggle = () => {
    write(!on)
    setOn(!on)
  }
  return [on, toggle]
}
