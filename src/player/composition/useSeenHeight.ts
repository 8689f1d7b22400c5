import { type RefObject, useLayoutEffect } from 'react'

/** Around a dialog on a screen that is wider than a phone's. */
const GAP_PX = 24
const PHONE_PX = 600

/**
 * Gives the dialog around an element the part of the window that the keyboard of a phone leaves to be seen. The height of the page
 * does not say it: most browsers lay the keyboard over the page.
 */
export function useSeenHeight(inside: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const dialog = inside.current?.closest('dialog')
    const seen = window.visualViewport
    if (!dialog || !seen) return
    const fit = () => {
      const gap = window.innerWidth < PHONE_PX ? 0 : GAP_PX
      dialog.style.maxHeight = 'none'
      dialog.style.height = `${seen.height - 2 * gap}px`
      dialog.style.marginTop = `${seen.offsetTop + gap}px`
    }
    fit()
    seen.addEventListener('resize', fit)
    seen.addEventListener('scroll', fit)
    return () => {
      seen.removeEventListener('resize', fit)
      seen.removeEventListener('scroll', fit)
    }
  }, [inside])
}
