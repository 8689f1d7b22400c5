import { type RefObject, useEffect } from 'react'
import { isStill } from '../useSwipe.ts'

/**
 * Brings the verdict into view once it is drawn with all that stands above it, such as the reasons of the options: on a small phone a long
 * question leaves it below the screen. One that is seen already stays where it is.
 */
export function IntoView({ verdict }: { verdict: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    verdict.current?.scrollIntoView?.({ block: 'nearest', behavior: isStill() ? 'auto' : 'smooth' })
  }, [verdict])
  return null
}
