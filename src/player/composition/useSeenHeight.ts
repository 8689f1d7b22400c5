import { type RefObject, useLayoutEffect } from 'react'
import { keepLineInSight } from './caret.ts'

/** Around a dialog on a screen that is wider than a phone's. */
const GAP_PX = 24
const PHONE_PX = 600

/**
 * Gives the dialog around a field the part of the window that the keyboard of a phone leaves to be seen. The height of the page does not say
 * it: most browsers lay the keyboard over the page. The line being typed stays in sight when the field becomes lower.
 */
export function useSeenHeight(field: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const area = field.current
    const dialog = area?.closest('dialog')
    const seen = window.visualViewport
    if (!area || !dialog || !seen) return
    const fit = () => {
      const gap = window.innerWidth < PHONE_PX ? 0 : GAP_PX
      dialog.style.maxHeight = 'none'
      dialog.style.height = `${seen.height - 2 * gap}px`
      dialog.style.marginTop = `${seen.offsetTop + gap}px`
    }
    const resize = () => {
      fit()
      keepLineInSight(area)
    }
    fit()
    seen.addEventListener('resize', resize)
    seen.addEventListener('scroll', fit)
    return () => {
      seen.removeEventListener('resize', resize)
      seen.removeEventListener('scroll', fit)
    }
  }, [field])
}
