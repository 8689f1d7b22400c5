import { type TouchEvent, useCallback, useEffect, useRef } from 'react'
import { endHint } from './hint.ts'

const MIN_PX = 60
/** A finger that moved less has not shown yet where it goes. */
const UNDECIDED_PX = 10
/** The question on the screen gives way only a little where none comes. */
const STIFF = 0.25
const SLIDE_MS = 160

interface Drag {
  x: number
  y: number
  room: Room
  /** It goes sideways, and the question goes along. */
  follows: boolean
}

/**
 * Left for the next, right for the one before; a drag that scrolls what it began in does only that. The question follows the finger
 * without a frame of React's, and the one that comes slides in from where it was drawn; not for who wants nothing to move.
 * @param first there is none before
 */
export function useSwipe(onLeft: () => void, onRight: () => void, first: boolean) {
  const drag = useRef<Drag | null>(null)
  const stage = useRef<HTMLDivElement>(null)
  const move = useCallback((px: number) => {
    if (stage.current) stage.current.style.translate = px === 0 ? '' : `${px}px`
  }, [])
  const end = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const { x, y, room, follows } = drag.current ?? { x: clientX, y: clientY, room: NO_ROOM, follows: false }
    const [dx, dy] = [clientX - x, clientY - y]
    drag.current = null
    move(0)
    const goes = Math.abs(dx) >= MIN_PX && Math.abs(dx) >= 2 * Math.abs(dy)
    if (goes && dx < 0 && !room.right) slideIn(stage.current, 1, onLeft)
    else if (goes && dx > 0 && !room.left && !first) slideIn(stage.current, -1, onRight)
    else if (follows) slide(stage.current, dx * (first && dx > 0 ? STIFF : 1))
  }
  useEffect(() => () => move(0), [move])
  return {
    ref: stage,
    onTouchStart: ({ touches, target, currentTarget }: TouchEvent) => {
      const touch = touches[0]
      const begun = touch && touches.length === 1 && target instanceof Element && !target.closest(FIELDS)
      move(0)
      drag.current = begun
        ? { x: touch.clientX, y: touch.clientY, room: roomAround(target, currentTarget), follows: false }
        : null
    },
    onTouchMove: ({ touches }: TouchEvent) => {
      const touch = touches[0]
      const { current } = drag
      if (!touch || !current || isStill()) return
      const [dx, dy] = [touch.clientX - current.x, touch.clientY - current.y]
      if (!current.follows) {
        if (Math.abs(dx) < UNDECIDED_PX || Math.abs(dx) < 2 * Math.abs(dy)) return
        if (dx < 0 ? current.room.right : current.room.left) return
        current.follows = true
      }
      move(dx * (first && dx > 0 ? STIFF : 1))
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0]
      if (touch) end(touch)
    },
    onTouchCancel: () => {
      drag.current = null
      move(0)
    },
  }
}

export const isStill = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** Back to its place from `px` beside it. */
function slide(element: HTMLElement | null, px: number): void {
  if (isStill()) return
  element?.animate?.([{ translate: `${px}px` }, { translate: '0' }], { duration: SLIDE_MS, easing: 'ease-out' })
}

/** The question changes at once, under what moves. `side`: 1 from the right. */
function slideIn(element: HTMLElement | null, side: 1 | -1, go: () => void): void {
  go()
  endHint()
  slide(element, side * (element?.clientWidth ?? 0) * 0.5)
}

/** A drag that begins here moves the caret, the place in a recording, or a row of its own. */
const FIELDS = 'audio, textarea, input:not([type=radio], [type=checkbox]), [data-drags]'

interface Room {
  left: boolean
  right: boolean
}
const NO_ROOM: Room = { left: false, right: false }

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
