import { useEffect, useMemo, useState } from 'react'
import { askLesson } from './askLesson.ts'
import type { Doors, KeptLesson } from './media/doors.ts'
import { beside, type PlacedLesson } from './lessons.ts'
import { STEP_S } from './parts/AudioDeck.tsx'
import { speedBeside, watchPrefs } from './prefs.ts'
import { useQuestions } from './questions/useQuestions.ts'
import { useSheet } from './questions/useSheet.ts'
import { useSaid, useTracks } from './media/tracks.ts'
import { useAwake } from './watch/useAwake.ts'
import { useChrome } from './useChrome.ts'
import { usePlays } from './media/useElement.ts'
import { useKeys } from './useKeys.ts'
import { useLandscape } from './useLandscape.ts'
import { type FromSecond, useLesson } from './useLesson.ts'
import { useMedia } from './media/useMedia.ts'
import { useMediaSession } from './useMediaSession.ts'
import { useQuality } from './media/useQuality.ts'
import { useSleep } from './watch/useSleep.ts'
import { useSpeed } from './media/useSpeed.ts'

export type Sheet = 'speed' | 'quality' | 'sleep' | 'keys'
interface PlayerParts {
  lesson: PlacedLesson
  lessons: readonly PlacedLesson[]
  kept: ((lessonNo: string) => Promise<KeptLesson | null>) | undefined
  onLesson: (lesson: PlacedLesson) => void
  from: FromSecond
}

/** Everything that a lesson's screen shows and does, around one element. */
export function usePlayer({ lesson, lessons, kept, onLesson, from }: PlayerParts) {
  const doors = useMemo<Doors>(() => ({ ask: askLesson, wish: watchPrefs.quality, kept }), [kept])
  const media = useMedia(doors)
  const { element } = media
  const handle = useLesson(media, lesson, from)
  const audio = lesson.course.kind === 'audio'
  const plays = usePlays(element)
  const chrome = useChrome(!audio)
  const keys = useRemembered(watchPrefs.keys, watchPrefs.setKeys)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const [speed, setSpeed] = useSpeed(element, lesson.course.no)
  const quality = useQuality(media.source, handle.source, lesson.course.kind)
  const sleep = useSleep(element, plays)
  const goesOn = useRemembered(watchPrefs.goesOn, watchPrefs.setGoesOn)
  const subtitles = useRemembered(watchPrefs.subtitles, watchPrefs.setSubtitles)
  const tracks = useTracks(handle.source)
  const said = useSaid(element, tracks, !audio && subtitles.on ? 'show' : 'read')
  const QuestionSheet = useSheet((handle.source.media?.questions ?? []).length > 0)
  const questions = useQuestions(element, handle.source, QuestionSheet !== null)
  const go = (to: PlacedLesson) => {
    handle.playNext()
    onLesson(to)
  }
  const next = beside(lessons, lesson.no, 1)
  const previous = beside(lessons, lesson.no, -1)
  const onNext = next && (() => go(next))
  const onPrevious = previous && (() => go(previous))
  const { seek } = handle
  useAwake(plays && !audio)
  useLandscape(element)
  useEffect(() => void keepParts(), [])
  // By then more of it has come.
  useEffect(() => {
    if (plays) void keepParts()
  }, [plays])
  useMediaSession(element, lesson, { seek, step: audio ? STEP_S : 10, previous: onPrevious, next: onNext })
  useKeys(keys.on ? element : null, {
    seek,
    speed: (by) => setSpeed(speedBeside(speed, by)),
    subtitles: subtitles.toggle,
    next: () => onNext?.(),
    help: () => setSheet('keys'),
  })
  return {
    ...media,
    handle,
    audio,
    chrome,
    keys,
    speed,
    setSpeed,
    quality,
    sleep,
    goesOn,
    subtitles,
    tracks,
    said,
    questions,
    QuestionSheet,
    go,
    next,
    onNext,
    onPrevious,
    sheet,
    setSheet,
  }
}

/** What plays here plays without a network, too, when the lesson is downloaded: the player is not precached. */
const keepParts = (): Promise<void> =>
  import('#src/offline/device/keepLazyAssets.ts').then(({ keepUsedParts }) => keepUsedParts()).catch(() => {})

export type PlayerHandle = ReturnType<typeof usePlayer>

/** A switch that the device remembers. */
function useRemembered(read: () => boolean, write: (on: boolean) => void): { on: boolean; toggle: () => void } {
  const [on, setOn] = useState(read)
  const toggle = () => {
    write(!on)
    setOn(!on)
  }
  return { on, toggle }
}
