import { type RefObject, useEffect } from 'react'
import { keepLineInSight, lineOfCaret } from './caret.ts'

/** No bar of a browser that comes and goes is so high; every keyboard is. */
const KEYBOARD_PX = 120

/**
 * Says to the page's styles that the keyboard of a phone is open for a field (`data-keyboard` of the root), and how much of the page it covers
 * (`--lj-keyboard`): what counts the words sticks above it, and the bar at the foot makes room. Some browsers lay the keyboard over the page,
 * others make the page lower: so it is known by the height that was seen without it. The line being typed stays above the counter.
 */
export function useKeyboard(
  field: RefObject<HTMLTextAreaElement | null>,
  counter: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const area = field.current
    const seen = window.visualViewport
    if (!area || !seen) return
    const { documentElement: root } = document
    let [width, height] = [0, 0]
    const look = () => {
      // A page that is turned has another height.
      height = Math.max(width === window.innerWidth ? height : 0, seen.height)
      width = window.innerWidth
      const isOpen = document.activeElement === area && seen.scale === 1 && height - seen.height > KEYBOARD_PX
      root.toggleAttribute('data-keyboard', isOpen)
      root.style.setProperty('--lj-keyboard', `${Math.max(0, window.innerHeight - seen.offsetTop - seen.height)}px`)
      return isOpen
    }
    const reveal = () => {
      if (look()) lift(area, seen.offsetTop + seen.height - (counter.current?.offsetHeight ?? 0))
    }
    look()
    const stop = new AbortController()
    const listen = (target: EventTarget, type: string, act: () => void) =>
      target.addEventListener(type, act, { signal: stop.signal })
    for (const type of ['focus', 'input']) listen(area, type, reveal)
    listen(area, 'blur', look)
    listen(seen, 'resize', reveal)
    listen(seen, 'scroll', look)
    return () => {
      stop.abort()
      root.removeAttribute('data-keyboard')
    }
  }, [field, counter])
}

/** Scrolls the page so that the line being typed ends above a height of the window. */
function lift(area: HTMLTextAreaElement, limit: number): void {
  const line = lineOfCaret(area)
  keepLineInSight(area, line)
  const below = area.getBoundingClientRect().top + area.clientTop + line.bottom - area.scrollTop - limit
  if (below > 0) window.scrollBy(0, below)
}
