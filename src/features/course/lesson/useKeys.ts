import { useEffect, useEffectEvent } from 'react'
import { actOf, type KeyAct } from './keys.ts'

export interface KeyDoors {
  seek: (to: number) => void
  speed: (by: 1 | -1) => void
  subtitles: () => void
  next: () => void
  help: () => void
}

/** The keyboard, wherever on the page it is pressed. */
export function useKeys(element: HTMLMediaElement | null, doors: KeyDoors): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const act = element && actOf(event)
    if (!act) return
    event.preventDefault()
    perform(act, element, doors)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

function perform(act: KeyAct, element: HTMLMediaElement, { seek, speed, subtitles, next, help }: KeyDoors): void {
  switch (act.do) {
    case 'toggle':
      if (element.paused) element.play().catch(() => {})
      else element.pause()
      return
    case 'seek':
      return seek(element.currentTime + act.by)
    case 'tenth':
      return Number.isFinite(element.duration) ? seek((element.duration * act.of) / 10) : undefined
    case 'volume':
      element.muted = false
      element.volume = Math.min(1, Math.max(0, element.volume + act.by))
      return
    case 'mute':
      element.muted = !element.muted
      return
    case 'fullscreen':
      return toggleFullscreen(element)
    case 'speed':
      return speed(act.by)
    case 'subtitles':
      return subtitles()
    case 'next':
      return next()
    case 'help':
      return help()
  }
}

/** By the controls, which know every browser's way; where their file has not come there is none. */
function toggleFullscreen(element: HTMLMediaElement): void {
  const controller = element.closest('media-controller')
  const way = document.fullscreenElement ? 'mediaexitfullscreenrequest' : 'mediaenterfullscreenrequest'
  controller?.dispatchEvent(new CustomEvent(way, { bubbles: true, composed: true }))
}
