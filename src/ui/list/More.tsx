import { clsx } from 'clsx'
import { type ReactNode, useCallback, useState } from 'react'
import { Button } from '../Button.tsx'
import common from '../common.module.css'
import { NO_MORE } from '../Empty.tsx'
import classes from './More.module.css'

/** Comes by itself as it is scrolled to; the button is for keys, and where the browser does not tell. */
export function More({ onMore }: { onMore: () => void }) {
  const watch = useCallback(
    (element: HTMLDivElement | null) => {
      if (!element || typeof IntersectionObserver === 'undefined') return
      // A slow phone tells several moments at once.
      const told: IntersectionObserverCallback = (moments) => moments.some((each) => each.isIntersecting) && onMore()
      const observer = new IntersectionObserver(told, { rootMargin: '800px' })
      observer.observe(element)
      return () => observer.disconnect()
    },
    [onMore],
  )
  return (
    <div ref={watch} className={clsx(common.wrap, classes.end)}>
      <Button look="light" onClick={onMore}>
        显示更多
      </Button>
    </div>
  )
}

/** Says that a list which came in parts has come to its end. Below a list that is seen whole from the first it would say nothing new. */
export const NoMore = () => <p className={clsx(common.wrap, common.note, classes.end)}>{NO_MORE}</p>

/**
 * Of a long list so many rows at first, and as many more whenever its end is scrolled to: each row costs a slow phone 2 ms.
 * @param first rows to begin with, where more than a step were shown before
 */
export function useGrowing<T>(
  rows: readonly T[],
  step: number,
  first = step,
): { shown: readonly T[]; more: ReactNode } {
  const [count, setCount] = useState(Math.max(step, first))
  const onMore = useCallback(() => setCount((old) => old + step), [step])
  return {
    shown: rows.length > count ? rows.slice(0, count) : rows,
    // Anew each time: what is in sight already tells nothing by staying there.
    more: rows.length > count ? <More key={count} onMore={onMore} /> : null,
  }
}
