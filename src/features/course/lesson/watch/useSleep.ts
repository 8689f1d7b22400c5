import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { loudness, passed, type Sleep } from './sleep.ts'

function setVolume(element: HTMLMediaElement, volume: number): void {
  element.volume = volume
}

export interface SleepHandle {
  sleep: Sleep
  choose: (sleep: Sleep) => void
  /** Nothing goes on by itself now. */
  quiet: boolean
}

/** 定时关闭 of an element. It outlives a pause and the change of lessons. */
export function useSleep(element: HTMLMediaElement | null, plays: boolean): SleepHandle {
  const [sleep, setSleep] = useState<Sleep>('off')
  const [ended, setEnded] = useState(false)
  /** The student's own, while it is being lowered. */
  const volume = useRef<number | null>(null)
  const restore = (): void => {
    if (element && volume.current !== null) setVolume(element, volume.current)
    volume.current = null
  }
  const tick = useEffectEvent((ms: number) => {
    if (!element) return
    const next = passed(sleep, ms)
    const loud = loudness(next)
    if (next === 'off') {
      element.pause()
      restore()
      feedback.toast('定时已到，已暂停播放')
    } else if (loud < 1) {
      volume.current ??= element.volume
      setVolume(element, volume.current * loud)
    }
    setSleep(next)
  })
  const counts = plays && typeof sleep !== 'string'
  useEffect(() => {
    if (!counts) return
    let last = performance.now()
    // A phone that rests calls seldom: what counts is the time between.
    const timer = setInterval(() => {
      const now = performance.now()
      tick(now - last)
      last = now
    }, 1_000)
    return () => clearInterval(timer)
  }, [counts])
  const end = useEffectEvent(() => {
    if (sleep !== 'end') return
    setSleep('off')
    setEnded(true)
  })
  useEffect(() => {
    if (!element) return
    const onEnd = () => end()
    const onPlay = () => setEnded(false)
    element.addEventListener('ended', onEnd)
    element.addEventListener('playing', onPlay)
    return () => {
      element.removeEventListener('ended', onEnd)
      element.removeEventListener('playing', onPlay)
    }
  }, [element])
  const choose = (next: Sleep): void => {
    restore()
    setSleep(next)
  }
  return { sleep, choose, quiet: ended || sleep === 'end' }
}
