import { clsx } from 'clsx'
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import common from '../common.module.css'
import { feedback } from './feedback.ts'
import classes from './Toasts.module.css'

/**
 * The notices. It stands there also when there are none, because screen readers tell only what comes into a region that they know;
 * and the page and each dialog have one of their own, because whatever is outside of an open dialog is neither heard nor above it.
 * @param over a dialog, whose own buttons stand at the bottom: there the notices are at the top
 */
export function Toasts({ over = false }: { over?: boolean }) {
  const { toasts } = useSyncExternalStore(feedback.subscribe, feedback.get)
  const host = useRef<HTMLDivElement>(null)
  // Browsers without popovers show it where it stands.
  useEffect(() => host.current?.showPopover?.(), [])
  useLayoutEffect(() => {
    if (!over && toasts.length > 0) host.current?.style.setProperty('--bars', `${heightOfBars()}px`)
  }, [over, toasts])
  return (
    <div
      className={classes.toasts}
      aria-live="polite"
      popover="manual"
      ref={host}
      data-page={over ? undefined : 'true'}
    >
      {toasts.map(({ id, text, action }) => (
        <p key={id} className={clsx(common.inline, classes.toast)}>
          {text}
          {action && (
            <button type="button" className={clsx(common.strong, classes.act)} onClick={action.act}>
              {action.label}
            </button>
          )}
        </p>
      ))}
    </div>
  )
}

/** Bars stand on each other with no more between them. */
const GAP_PX = 16

/** CSS px from the lower edge of the screen up to the top of what stands on it (data-bottom-bar): there a thumb is at work. */
function heightOfBars(): number {
  const bars = [...document.querySelectorAll('[data-bottom-bar]')].map((bar) => bar.getBoundingClientRect())
  const lowestFirst = bars.filter(({ height }) => height > 0).sort((a, b) => b.bottom - a.bottom)
  let edge = window.innerHeight
  for (const { top, bottom } of lowestFirst) if (bottom >= edge - GAP_PX && top < edge) edge = top
  return Math.max(0, window.innerHeight - edge)
}
