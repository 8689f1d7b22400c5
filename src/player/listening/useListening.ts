import { type Dispatch, useCallback, useEffect, useEffectEvent, useMemo, useReducer, useRef } from 'react'
import { readAloud } from '#src/domain/question/readAloud.ts'
import { answerMediaKeys } from '#src/ui/mediaKeys.ts'
import type { Item } from '../playerState.ts'
import type { ListeningPrefs } from './prefs.ts'
import { Silence } from './silence.ts'
import { speak } from './speak.ts'
import type { Voices } from './voices.ts'

/** `failed`: the voice gave up, as one of a service does without a network. */
type Status = 'paused' | 'playing' | 'ended' | 'failed'
export interface Place {
  at: number
  /** This step of the question is read. */
  step: number
  status: Status
}
type Event = { type: 'status'; status: Status } | { type: 'step'; step: number } | { type: 'go'; at: number }

function follow(place: Place, event: Event): Place {
  if (event.type === 'status') return { ...place, status: event.status }
  if (event.type === 'step') return { ...place, step: event.step }
  return { at: event.at, step: 0, status: place.status === 'playing' ? 'playing' : 'paused' }
}

const asked = (items: readonly Item[], at: number) => {
  const item = items[at]
  if (!item) return null
  const { part, material } = item
  const isRead = material !== null && items[at - 1]?.material?.no === material.no
  return {
    part,
    material: isRead ? null : material,
    place: at + 1,
    analysis: part.analysis || (material?.analysis ?? ''),
  }
}

/** Reads the questions out, one after another, until it is stopped. @param voices null: they are still asked for */
export function useListening(items: readonly Item[], begin: number, voices: Voices | null, prefs: ListeningPrefs) {
  const [place, change] = useReducer(follow, { at: begin, step: 0, status: 'paused' })
  const { at, step, status } = place
  const { rate, pause, withAnalysis } = prefs
  const steps = useMemo(() => {
    const question = asked(items, at)
    return question ? readAloud(question, withAnalysis) : []
  }, [items, at, withAnalysis])
  const total = items.length
  const onward = useEffectEvent(() => {
    if (step + 1 < steps.length) change({ type: 'step', step: step + 1 })
    else if (at + 1 < total) change({ type: 'go', at: at + 1 })
    else change({ type: 'status', status: 'ended' })
  })
  useEffect(() => {
    // It depends on the place as a whole: the same piece may be to be said again.
    const piece = steps[place.step]
    if (place.status !== 'playing' || !piece || !voices) return
    if (piece === 'think') {
      const timer = setTimeout(() => onward(), pause * 1_000)
      return () => clearTimeout(timer)
    }
    return speak(
      piece,
      { voices, rate },
      { onEnd: () => onward(), onFailed: () => change({ type: 'status', status: 'failed' }) },
    )
  }, [place, steps, voices, rate, pause])
  const sound = useSilence(status, change)
  const play = useCallback(() => {
    sound.play()
    if (status === 'ended') change({ type: 'go', at: 0 })
    change({ type: 'status', status: 'playing' })
  }, [sound, status])
  const stop = useCallback(() => change({ type: 'status', status: 'paused' }), [])
  const go = useCallback((to: number) => change({ type: 'go', at: Math.min(Math.max(to, 0), total - 1) }), [total])
  const answer = steps.indexOf('think') + 1
  const tell = useCallback(() => {
    change({ type: 'step', step: answer })
    play()
  }, [answer, play])
  useLockScreen({ at, total, play, stop, go, status })
  return { place, isThinking: steps[step] === 'think', isTold: step >= answer, play, stop, go, tell }
}

/** Sounds as long as something is read. `play` is called by the very tap that begins, as browsers demand. */
function useSilence(status: Status, change: Dispatch<Event>): { play: () => void } {
  const sound = useRef<Silence | null>(null)
  useEffect(() => {
    if (status !== 'playing') sound.current?.pause()
  }, [status])
  useEffect(
    () => () => {
      sound.current?.end()
      sound.current = null
    },
    [],
  )
  const play = useCallback(() => {
    if (!sound.current) sound.current = new Silence(() => change({ type: 'status', status: 'paused' }))
    sound.current.play()
  }, [change])
  return useMemo(() => ({ play }), [play])
}

interface LockScreen {
  at: number
  total: number
  status: Status
  play: () => void
  stop: () => void
  go: (to: number) => void
}

/** The lock screen and the keys of a headset go from question to question. */
function useLockScreen({ at, total, status, play, stop, go }: LockScreen): void {
  useEffect(() => {
    if (!('mediaSession' in navigator)) return
    navigator.mediaSession.metadata = new MediaMetadata({
      title: `第 ${at + 1} 题，共 ${total} 题`,
      artist: '听题',
      artwork: [{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' }],
    })
    return () => {
      navigator.mediaSession.metadata = null
    }
  }, [at, total])
  useEffect(() => {
    if (!('mediaSession' in navigator)) return
    navigator.mediaSession.playbackState = status === 'playing' ? 'playing' : 'paused'
    return () => {
      navigator.mediaSession.playbackState = 'none'
    }
  }, [status])
  useEffect(
    () =>
      answerMediaKeys([
        ['play', play],
        ['pause', stop],
        ['previoustrack', at > 0 ? () => go(at - 1) : null],
        ['nexttrack', at + 1 < total ? () => go(at + 1) : null],
      ]),
    [at, total, play, stop, go],
  )
}
