import { useEffect, useState } from 'react'
import type { PlayedMedia } from '#src/contract/course.ts'
import { type SaidLine, shownSubtitles, spokenText } from '#src/domain/course/transcript.ts'
import type { KeptLesson } from './doors.ts'
import type { SourceState } from './source.ts'

/** Subtitles as an element takes them. */
export interface Track {
  lang: string
  label: string
  src: string
}
const NONE: readonly never[] = []

/** Of the lesson that plays; from this device when it is there. */
export function useTracks({ media, kept }: SourceState): readonly Track[] {
  const [tracks, setTracks] = useState<{ of: PlayedMedia | null; list: readonly Track[] }>({ of: null, list: NONE })
  useEffect(() => {
    if (!media) return
    let left = false
    const made: string[] = []
    const read = async ({ lang, label, file }: PlayedMedia['subtitles'][number]): Promise<Track[]> => {
      const src = await addressOf(media.base, file.name, kept)
      if (kept && src) made.push(src)
      return src ? [{ lang, label, src }] : []
    }
    const free = () => made.forEach((src) => URL.revokeObjectURL(src))
    void Promise.all(media.subtitles.map(read)).then((list) =>
      left ? free() : setTracks({ of: media, list: list.flat() }),
    )
    return () => {
      left = true
      free()
    }
  }, [media, kept])
  return tracks.of === media ? tracks.list : NONE
}

async function addressOf(base: string, name: string, kept: KeptLesson | null): Promise<string | null> {
  if (!kept) return base + name
  const blob = await kept.file(name).catch(() => null)
  return blob && URL.createObjectURL(blob)
}

/** Shows subtitles on a picture, or reads them alone; gives what they say as a list. */
export function useSaid(
  element: HTMLMediaElement | null,
  tracks: readonly Track[],
  way: 'show' | 'read',
): readonly SaidLine[] {
  const [said, setSaid] = useState<readonly SaidLine[]>(NONE)
  useEffect(() => {
    if (!element || tracks.length === 0) return
    const own = [...element.querySelectorAll('track')]
    const chosen = shownSubtitles(own.map((track) => ({ track, lang: track.srclang })))?.track
    const apply = () => {
      for (const each of own) each.track.mode = each === chosen ? MODES[way] : 'disabled'
    }
    const read = () => chosen && setSaid(saidIn(chosen.track))
    apply()
    read()
    chosen?.addEventListener('load', read)
    // A new source makes the browser choose by itself.
    element.addEventListener('loadedmetadata', apply)
    return () => {
      chosen?.removeEventListener('load', read)
      element.removeEventListener('loadedmetadata', apply)
      setSaid(NONE)
    }
  }, [element, tracks, way])
  return said
}
const MODES = { show: 'showing', read: 'hidden' } as const

const isWorded = (cue: TextTrackCue): cue is VTTCue => 'getCueAsHTML' in cue

/** As the browser understands it: marks are gone, and signs that a file must write as `&lt;` are what they are. */
export const saidIn = ({ cues }: Pick<TextTrack, 'cues'>): SaidLine[] =>
  [...(cues ?? [])].filter(isWorded).flatMap((cue) => {
    const text = spokenText(cue.getCueAsHTML().textContent)
    return text === '' ? [] : [{ at: cue.startTime, text }]
  })
