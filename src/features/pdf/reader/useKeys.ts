import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isTyping } from '#src/ui/typing.ts'

interface Keys {
  onFind: () => void
  onStep: (up: boolean) => void
  onFit: () => void
  onPage: (by: 1 | -1) => void
  onEnd: (last: boolean) => void
  onEscape: () => void
}
const LINE = 60
/** Of the window's height: a line of what was read stays in sight. */
const SCREEN = 0.9

/** The keys of a reader, wherever the focus is but in a field or a dialog. */
export function useKeys(box: RefObject<HTMLElement | null>, keys: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'f') return
      event.preventDefault()
      return keys.onFind()
    }
    if (isTyping(event.target) || isOwn(event)) return
    const act = acts(keys, (by) => box.current?.scrollBy(0, by), box.current?.clientHeight ?? 0)[event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

/** A button's or a link's own keys. */
const isOwn = ({ key, target }: KeyboardEvent): boolean =>
  key === ' ' && target instanceof Element && target.closest('button, a') !== null

const acts = (
  { onStep, onFit, onPage, onEnd, onEscape }: Keys,
  scroll: (by: number) => void,
  height: number,
): Record<string, (() => void) | undefined> => ({
  '+': () => onStep(true),
  '=': () => onStep(true),
  '-': () => onStep(false),
  '0': onFit,
  PageDown: () => scroll(height * SCREEN),
  PageUp: () => scroll(-height * SCREEN),
  ' ': () => scroll(height * SCREEN),
  ArrowDown: () => scroll(LINE),
  ArrowUp: () => scroll(-LINE),
  ArrowRight: () => onPage(1),
  ArrowLeft: () => onPage(-1),
  Home: () => onEnd(false),
  End: () => onEnd(true),
  Escape: onEscape,
})
