import { clsx } from 'clsx'
import { type ReactNode, useEffect, useRef } from 'react'
import common from '#src/ui/common.module.css'
import classes from './Bar.module.css'

/**
 * What a page is there for: on phones it stays in sight at the bottom, above the tabs; elsewhere it stands where it is written. The
 * page leaves room for it, so that its end and what has the focus can be scrolled clear of it (theme.css, Shell, BackToTop).
 */
export function Bar({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const bar = ref.current
    if (!bar) return
    const { style } = document.documentElement
    const reserve = () => {
      const height = getComputedStyle(bar).position === 'fixed' ? bar.offsetHeight : 0
      style.setProperty('--lj-bar', `${height}px`)
    }
    // Also when it becomes one or ceases to be: its width is another then.
    const sizes = new ResizeObserver(reserve)
    sizes.observe(bar)
    return () => {
      sizes.disconnect()
      style.removeProperty('--lj-bar')
    }
  }, [])
  return (
    <div ref={ref} className={clsx(common.stack, classes.bar)} data-bottom-bar>
      {children}
    </div>
  )
}
