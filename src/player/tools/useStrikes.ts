import { useEffect, useRef } from 'react'
import { openPart } from '../playerState.ts'
import type { PlayerHandle } from '../usePlayer.ts'

const PRESS_MS = 400

/** A long touch or the right button strikes an option or restores it. iOS tells of no contextmenu for a long touch. */
export function useStrikes(player: PlayerHandle): void {
  const latest = useRef(player)
  useEffect(() => void (latest.current = player))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let pressed = false
    const strike = (target: EventTarget | null): boolean => {
      const id = target instanceof Element && target.closest<HTMLElement>('[data-strikes]')?.dataset.strikes
      const { state, dispatch } = latest.current
      const part = openPart(state)
      if (id && part) dispatch({ type: 'strike', part, id })
      return Boolean(id && part)
    }
    const press = (target: EventTarget | null) => {
      pressed = strike(target)
      // The same touch leads to no other question.
      if (pressed) target?.dispatchEvent(new Event('touchcancel', { bubbles: true }))
    }
    const stop = () => clearTimeout(timer)
    const down = ({ target }: TouchEvent) => {
      pressed = false
      stop()
      timer = setTimeout(() => press(target), PRESS_MS)
    }
    const up = (event: TouchEvent) => {
      stop()
      // What was a long press is no tap as well.
      if (pressed && event.cancelable) event.preventDefault()
    }
    const menu = (event: MouseEvent) => {
      const byMouse = !(event instanceof PointerEvent) || event.pointerType === 'mouse'
      if (byMouse ? strike(event.target) : pressed) event.preventDefault()
    }
    document.addEventListener('touchstart', down, { passive: true })
    document.addEventListener('touchmove', stop, { passive: true })
    document.addEventListener('touchcancel', stop)
    document.addEventListener('touchend', up)
    document.addEventListener('contextmenu', menu)
    return () => {
      stop()
      document.removeEventListener('touchstart', down)
      document.removeEventListener('touchmove', stop)
      document.removeEventListener('touchcancel', stop)
      document.removeEventListener('touchend', up)
      document.removeEventListener('contextmenu', menu)
    }
  }, [])
}
