import { useEffect, useState } from 'react'
import type { LessonMedia } from '#src/contract/course.ts'
import type { KeptLesson } from './doors.ts'
import type { SourceState } from './source.ts'

/** Subtitles as an element takes them. */
export interface Track {
  lang: string
  label: string
  src: string
}
/** Something that is said, from a second to another. */
export interface Cue {
  from: number
  to: number
  text: string
}
const NONE: readonly never[] = []

/** Of the lesson that plays; from this device when it is there. */
export function useTracks({ media, kept }: SourceState): readonly Track[] {
  const [tracks, setTracks] = useState<{ of: LessonMedia | null; list: readonly Track[] }>({ of: null, list: NONE })
  useEffect(() => {
    if (!media) return
    let left = false
    const made: string[] = []
    const read = async ({ lang, label, file }: LessonMedia['subtitles'][number]): Promise<Track[]> => {
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

/** Shows subtitles on a picture; `read`: their words are wanted as a list, nothing is shown. Gives that list. */
export function useCues(
  element: HTMLMediaElement | null,
  tracks: readonly Track[],
  way: 'show' | 'read' | 'off',
): readonly Cue[] {
  const [cues, setCues] = useState<readonly Cue[]>(NONE)
  useEffect(() => {
    if (!element || tracks.length === 0) return
    const own = [...element.querySelectorAll('track')]
    const chosen = own.find(({ srclang }) => srclang.startsWith('zh')) ?? own[0]
    const apply = () => {
      for (const each of own) each.track.mode = each !== chosen || way === 'off' ? 'disabled' : MODES[way]
    }
    const read = () => way === 'read' && chosen && setCues(listOf(chosen.track))
    apply()
    read()
    chosen?.addEventListener('load', read)
    // A new source makes the browser choose by itself.
    element.addEventListener('loadedmetadata', apply)
    return () => {
      chosen?.removeEventListener('load', read)
      element.removeEventListener('loadedmetadata', apply)
      setCues(NONE)
    }
  }, [element, tracks, way])
  return cues
}
const MODES = { show: 'showing', read: 'hidden' } as const

const listOf = ({ cues }: TextTrack): Cue[] =>
  [...(cues ?? [])].map((cue) => ({
    from: cue.startTime,
    to: cue.endTime,
    text: 'text' in cue && typeof cue.text === 'string' ? cue.text.replace(/<[^>]*>/g, '') : '',
  }))
