import { type RefObject, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'

const EVERY_MS = 6_000
/** In slides. */
const NEAR = 0.02
const STILL = '(prefers-reduced-motion: reduce)'

/** Which slide is seen, and the way to another: the browser itself scrolls, so a swipe needs no script. */
export function useCarousel(track: RefObject<HTMLDivElement | null>, count: number) {
  const [at, setAt] = useState(0)
  const [paused, setPaused] = useState(false)
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const mayPlay = !useSyncExternalStore(watchStill, () => window.matchMedia(STILL).matches)
  /** Where it glides to. Until it is there, what passes by is not what is looked at. */
  const aim = useRef<number | null>(null)
  const go = (to: number) => {
    aim.current = to
    setAt(to)
    track.current?.scrollTo({ left: to * track.current.clientWidth })
  }
  useEffect(() => {
    const box = track.current
    if (!box) return
    const seen = () => {
      const place = box.scrollLeft / Math.max(1, box.clientWidth)
      if (aim.current !== null && Math.abs(place - aim.current) > NEAR) return
      aim.current = null
      setAt(Math.round(place))
    }
    const taken = () => (aim.current = null)
    // Whoever swipes looks for themselves from here on.
    const swiped = () => {
      taken()
      setPaused(true)
    }
    const listeners = { scroll: seen, touchstart: swiped, wheel: taken }
    for (const [name, heard] of Object.entries(listeners)) box.addEventListener(name, heard, { passive: true })
    return () => {
      for (const [name, heard] of Object.entries(listeners)) box.removeEventListener(name, heard)
    }
  }, [track])
  const next = useEffectEvent(() => {
    if (document.visibilityState === 'visible') go((at + 1) % count)
  })
  const playing = count > 1 && mayPlay && !paused && !pointed && !focused
  useEffect(() => {
    if (!playing) return
    const timer = setInterval(next, EVERY_MS)
    return () => clearInterval(timer)
  }, [playing])
  const hold = {
    onPointerEnter: () => setPointed(true),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    onBlur: () => setFocused(false),
  }
  return { at, go, hold, mayPlay, paused, setPaused }
}

function watchStill(told: () => void): () => void {
  const query = window.matchMedia(STILL)
  query.addEventListener('change', told)
  return () => query.removeEventListener('change', told)
}
