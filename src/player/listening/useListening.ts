import { type Dispatch, useCallback, useEffect, useEffectEvent, useMemo, useReducer, useRef } from 'react'
import { readAloud, type Step } from '#src/domain/question/readAloud.ts'
import type { Item } from '../playerState.ts'
import type { ListeningPrefs } from './prefs.ts'
import { Silence } from './silence.ts'
import { speak } from './speak.ts'
import { useLockScreen } from './useLockScreen.ts'
import type { Voices } from './voices.ts'

/** `failed`: the voice gave up, as one of a service does without a network. */
type Status = 'paused' | 'playing' | 'ended' | 'failed'
export interface Place {
  at: number
  /** This step of the question is read. */
  step: number
  status: Status
  /** Places of the questions that materials were read with, by the material's number. */
  carriers: ReadonlyMap<string, number>
}
type Event =
  | { type: 'status'; status: Status }
  /** `begun`: the number of the material that begins with this step. */
  | { type: 'step'; step: number; begun?: string | undefined }
  | { type: 'go'; at: number }
  /** All is read once more. */
  | { type: 'anew' }

const begin = (at: number): Place => ({ at, step: 0, status: 'paused', carriers: new Map() })

function follow(place: Place, event: Event): Place {
  const { at, carriers } = place
  switch (event.type) {
    case 'status':
      return { ...place, status: event.status }
    case 'step':
      return {
        ...place,
        step: event.step,
        carriers: event.begun === undefined ? carriers : new Map([...carriers, [event.begun, at]]),
      }
    case 'go':
      return { ...place, at: event.at, step: 0, status: place.status === 'playing' ? 'playing' : 'paused' }
    case 'anew':
      return { ...begin(0), status: 'playing' }
  }
}

/**
 * The steps of the question at this place. A material is read with the first of its questions that is heard, and again with that
 * one alone.
 */
function useSteps(items: readonly Item[], { at, carriers }: Place, withAnalysis: boolean): readonly Step[] {
  const { part, material } = items[at] ?? {}
  const carrier = material ? carriers.get(material.no) : undefined
  const isRead = carrier !== undefined && carrier !== at
  return useMemo(() => {
    if (!part) return []
    const analysis = part.analysis || (material?.analysis ?? '')
    return readAloud({ part, material: isRead ? null : (material ?? null), place: at + 1, analysis }, withAnalysis)
  }, [part, material, isRead, at, withAnalysis])
}

/** Reads the questions out, one after another, until it is stopped. @param voices null: they are still asked for */
export function useListening(items: readonly Item[], first: number, voices: Voices | null, prefs: ListeningPrefs) {
  const [place, change] = useReducer(follow, first, begin)
  const { at, step, status } = place
  const { rate, pause, withAnalysis } = prefs
  const steps = useSteps(items, place, withAnalysis)
  const total = items.length
  const onward = useEffectEvent(() => {
    const next = steps[step + 1]
    const begun = next && next !== 'think' && next.isMaterial ? items[at]?.material?.no : undefined
    if (next) change({ type: 'step', step: step + 1, begun })
    else if (at + 1 < total) change({ type: 'go', at: at + 1 })
    else change({ type: 'status', status: 'ended' })
  })
  useEffect(() => {
    // It depends on the place as a whole: the same piece may be to be said again.
    const piece = steps[place.step]
    if (place.status !== 'playing' || !voices) return
    // Analyses that were switched off while one was read leave a step that is none.
    if (!piece || piece === 'think') {
      const timer = setTimeout(() => onward(), piece ? pause * 1_000 : 0)
      return () => clearTimeout(timer)
    }
    const end = (as: Status) => () => change({ type: 'status', status: as })
    return speak(piece, { voices, rate }, { onEnd: () => onward(), onFailed: end('failed'), onStopped: end('paused') })
  }, [place, steps, voices, rate, pause])
  const sound = useSilence(status, change)
  const play = useCallback(() => {
    sound.play()
    change(status === 'ended' ? { type: 'anew' } : { type: 'status', status: 'playing' })
  }, [sound, status])
  const stop = useCallback(() => change({ type: 'status', status: 'paused' }), [])
  const go = useCallback((to: number) => to >= 0 && to < total && change({ type: 'go', at: to }), [total])
  const answer = steps.indexOf('think') + 1
  const isTold = step >= answer
  const tell = useCallback(() => {
    if (isTold) return
    change({ type: 'step', step: answer })
    play()
  }, [answer, isTold, play])
  useLockScreen({ at, total, isPlaying: status === 'playing', play, stop, go })
  return { place, isThinking: steps[step] === 'think', isTold, play, stop, go, tell }
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
