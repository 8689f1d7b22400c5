import { useEffect, useEffectEvent } from 'react'
import { answerMediaKeys } from '#src/ui/mediaKeys.ts'
import type { PlacedLesson } from './lessons.ts'

interface SessionActs {
  seek: (to: number) => void
  /** Seconds of a step back or forward. */
  step: number
  previous: (() => void) | null
  next: (() => void) | null
}

/** The lock screen, the keys of a headset: what plays, and its controls. */
export function useMediaSession(element: HTMLMediaElement | null, lesson: PlacedLesson, acts: SessionActs): void {
  const { title, course } = lesson
  const { src, width, height } = course.cover
  useEffect(() => {
    if (!element || !('mediaSession' in navigator)) return
    const size = src.endsWith('.svg') ? 'any' : `${width}x${height}`
    navigator.mediaSession.metadata = new MediaMetadata({
      title,
      artist: course.teacher,
      album: course.title,
      artwork: [
        { src, sizes: size },
        // Where such a picture cannot be shown.
        { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      ],
    })
    return () => {
      navigator.mediaSession.metadata = null
    }
  }, [element, title, course.teacher, course.title, src, width, height])
  useActions(element, acts)
  useEffect(() => {
    if (!element || !('mediaSession' in navigator)) return
    const tell = () => {
      const { duration, playbackRate, currentTime } = element
      if (Number.isFinite(duration) && duration > 0)
        navigator.mediaSession.setPositionState?.({ duration, playbackRate, position: Math.min(currentTime, duration) })
    }
    // Without a word it stands where the last lesson was, also after that is gone.
    const forget = () => navigator.mediaSession.setPositionState?.()
    const when = ['loadedmetadata', 'play', 'pause', 'seeked', 'ratechange'] as const
    for (const type of when) element.addEventListener(type, tell)
    element.addEventListener('emptied', forget)
    return () => {
      for (const type of when) element.removeEventListener(type, tell)
      element.removeEventListener('emptied', forget)
      forget()
    }
  }, [element])
}

function useActions(element: HTMLMediaElement | null, { seek, step, previous, next }: SessionActs): void {
  const by = useEffectEvent((seconds: number) => seek((element?.currentTime ?? 0) + seconds))
  const to = useEffectEvent(seek)
  const go = useEffectEvent((way: 'previous' | 'next') => (way === 'next' ? next : previous)?.())
  const hasNext = next !== null
  const hasPrevious = previous !== null
  useEffect(() => {
    if (!element) return
    return answerMediaKeys([
      ['play', () => void element.play().catch(() => {})],
      ['pause', () => element.pause()],
      ['seekbackward', ({ seekOffset }) => by(-(seekOffset ?? step))],
      ['seekforward', ({ seekOffset }) => by(seekOffset ?? step)],
      ['seekto', ({ seekTime }) => seekTime !== undefined && to(seekTime)],
      ['previoustrack', hasPrevious ? () => go('previous') : null],
      ['nexttrack', hasNext ? () => go('next') : null],
    ])
  }, [element, step, hasNext, hasPrevious])
}
