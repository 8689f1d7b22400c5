import { useEffect, useRef, useSyncExternalStore } from 'react'
import { feedback } from './feedback.ts'
import classes from './Toasts.module.css'

/**
 * The notices. It stands there also when there are none, because screen readers tell only what comes into a region that they know;
 * and the page and each dialog have one of their own, because whatever is outside of an open dialog is neither heard nor above it.
 */
export function Toasts() {
  const { toasts } = useSyncExternalStore(feedback.subscribe, feedback.get)
  const host = useRef<HTMLDivElement>(null)
  // Browsers without popovers show it where it stands.
  useEffect(() => host.current?.showPopover?.(), [])
  return (
    <div className={classes.toasts} aria-live="polite" popover="manual" ref={host}>
      {toasts.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
