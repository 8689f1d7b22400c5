import { type TouchEvent, useRef } from 'react'

const MIN_PX = 60

/** Left for the next, right for the one before; not where the content itself scrolls sideways. */
export function useSwipe(onLeft: () => void, onRight: () => void) {
  const from = useRef<{ x: number; y: number } | null>(null)
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const touch = touches[0]
      from.current =
        touch && touches.length === 1 && !scrollsSideways(target) ? { x: touch.clientX, y: touch.clientY } : null
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0]
      if (!touch || !from.current) return
      const dx = touch.clientX - from.current.x
      const dy = touch.clientY - from.current.y
      from.current = null
      if (Math.abs(dx) < MIN_PX || Math.abs(dx) < 2 * Math.abs(dy)) return
      if (dx < 0) onLeft()
      else onRight()
    },
  }
}

function scrollsSideways(target: EventTarget): boolean {
  const box = target instanceof Element ? target.closest('table, math[display=block], textarea, input') : null
  return box !== null && (box.scrollWidth > box.clientWidth || box.tagName !== 'TABLE')
}
