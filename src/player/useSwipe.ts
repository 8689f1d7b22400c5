import { type TouchEvent, useRef } from 'react'

const MIN_PX = 60

/** Left for the next, right for the one before; a drag that scrolls what it began in does only that. */
export function useSwipe(onLeft: () => void, onRight: () => void) {
  const from = useRef<{ x: number; y: number; room: Room } | null>(null)
  return {
    onTouchStart: ({ touches, target, currentTarget }: TouchEvent) => {
      const touch = touches[0]
      const begun = touch && touches.length === 1 && target instanceof Element && !target.closest(FIELDS)
      from.current = begun ? { x: touch.clientX, y: touch.clientY, room: roomAround(target, currentTarget) } : null
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0]
      if (!touch || !from.current) return
      const { x, y, room } = from.current
      const dx = touch.clientX - x
      const dy = touch.clientY - y
      from.current = null
      if (Math.abs(dx) < MIN_PX || Math.abs(dx) < 2 * Math.abs(dy)) return
      if (dx < 0 && !room.right) onLeft()
      if (dx > 0 && !room.left) onRight()
    },
  }
}

/** A drag that begins here moves the caret, the place in a recording, or a row of its own. */
const FIELDS = 'audio, textarea, input:not([type=radio], [type=checkbox]), [data-drags]'

interface Room {
  left: boolean
  right: boolean
}

/** To which sides a drag that begins here would scroll something. */
function roomAround(target: Element, stage: Element): Room {
  const room = { left: false, right: false }
  for (let box: Element | null = target; box && box !== stage; box = box.parentElement) {
    const hidden = box.scrollWidth - box.clientWidth - 1
    if (hidden <= 0 || !/auto|scroll/.test(getComputedStyle(box).overflowX)) continue
    room.left ||= box.scrollLeft > 0
    room.right ||= box.scrollLeft < hidden
  }
  return room
}
