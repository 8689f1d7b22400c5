import { type RefObject, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'

const EVERY_MS = 6_000
const STILL = '(prefers-reduced-motion: reduce)'

/** Which slide is seen, and the way to another: the browser itself scrolls, so a swipe needs no script. */
export function useCarousel(track: RefObject<HTMLDivElement | null>, count: number) {
  const [at, setAt] = useState(0)
  const [paused, setPaused] = useState(false)
  /** The student is at it: pointing, or with the keyboard. */
  const [held, setHeld] = useState(false)
  const mayPlay = !useSyncExternalStore(watchStill, () => window.matchMedia(STILL).matches)
  const go = (to: number) => track.current?.scrollTo({ left: to * track.current.clientWidth })
  useEffect(() => {
    const box = track.current
    if (!box) return
    const seen = () => setAt(Math.round(box.scrollLeft / Math.max(1, box.clientWidth)))
    // Whoever swipes looks for themselves from here on.
    const swiped = () => setPaused(true)
    box.addEventListener('scroll', seen, { passive: true })
    box.addEventListener('touchstart', swiped, { passive: true })
    return () => {
      box.removeEventListener('scroll', seen)
      box.removeEventListener('touchstart', swiped)
    }
  }, [track])
  const next = useEffectEvent(() => {
    if (document.visibilityState === 'visible') go((at + 1) % count)
  })
  const playing = count > 1 && mayPlay && !paused && !held
  useEffect(() => {
    if (!playing) return
    const timer = setInterval(next, EVERY_MS)
    return () => clearInterval(timer)
  }, [playing])
  const hold = {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  }
  return { at, go, hold, mayPlay, paused, setPaused }
}

function watchStill(told: () => void): () => void {
  const query = window.matchMedia(STILL)
  query.addEventListener('change', told)
  return () => query.removeEventListener('change', told)
}
