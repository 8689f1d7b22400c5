import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { type Place, rememberPlace } from '#src/offline/downloads/documents/documentPlaces.ts'

const SOON_MS = 500

/** Keeps where a student is, soon after each step and at the latest when the page is put away. */
export function usePlace(owner: string, address: string): (place: Place) => void {
  const waiting = useRef<Place | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const keep = useEffectEvent(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    if (waiting.current) void rememberPlace(owner, address, waiting.current)
    waiting.current = null
  })
  const due = useRef(() => {})
  // Before the pages are gone from the screen, not some time after: the app may end with them.
  useLayoutEffect(() => {
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
    timer.current ??= setTimeout(() => due.current(), SOON_MS)
  }
}
