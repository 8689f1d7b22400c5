import { useEffect, useEffectEvent, useRef } from 'react'
import { type Place, rememberPlace } from '#src/offline/documentPlaces.ts'

const REST_MS = 400

/** Keeps where a student is, when they have come to rest there, and at the latest when the page is put away. */
export function usePlace(owner: string, address: string): (place: Place) => void {
  const waiting = useRef<Place | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const keep = useEffectEvent(() => {
    clearTimeout(timer.current)
    if (waiting.current) void rememberPlace(owner, address, waiting.current)
    waiting.current = null
  })
  const due = useRef(() => {})
  useEffect(() => {
    due.current = () => keep()
    const hide = () => document.visibilityState === 'hidden' && keep()
    document.addEventListener('visibilitychange', hide)
    return () => {
      document.removeEventListener('visibilitychange', hide)
      keep()
    }
  }, [])
  return (place) => {
    waiting.current = place
    clearTimeout(timer.current)
    timer.current = setTimeout(() => due.current(), REST_MS)
  }
}
