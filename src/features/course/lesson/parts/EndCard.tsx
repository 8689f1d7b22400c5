import { clsx } from 'clsx'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import type { PlacedLesson } from '../lessons.ts'
import { focusIsNowhere } from '#src/ui/nowhere.ts'
import classes from './Stage.module.css'

/** 单元测验 */
export interface Quiz {
  no: string
  title: string
}
interface EndCardProps {
  next: PlacedLesson | null
  quiz: Quiz | null
  /** How many lessons come that are not this student's; they have seen what there is to try. */
  locked: number
  /** 试看, 试听 */
  trial: string
  /** Lessons that are not this student's can be bought. */
  forSale: boolean
  /** It goes on by itself. */
  goesOn: boolean
  onNext: () => void
  onAgain: () => void
  onQuiz: (no: string) => void
  onCourse: () => void
}

const COUNT = 5

/** What can be done after a lesson. */
export function EndCard({
  next,
  quiz,
  locked,
  trial,
  forSale,
  goesOn,
  onNext,
  onAgain,
  onQuiz,
  onCourse,
}: EndCardProps) {
  const [left, cancel] = useCountdown(goesOn && next !== null && next.open && !quiz, onNext)
  const card = useFocus()
  const title =
    next && !next.open ? `${trial}到这里，后面还有 ${locked} 课时` : next ? `下一课时：${next.title}` : '这门课学完了'
  return (
    <section ref={card} className={clsx(common.column, classes.card)} aria-label="本课时播放完毕" tabIndex={-1}>
      <h2 className={common.subheading}>{title}</h2>
      {quiz && <p className={classes.said}>本单元学完了，做做《{quiz.title}》，看看掌握得怎么样。</p>}
      {next && !next.open && (
        <p className={classes.said}>
          {forSale ? '购买课程后，可以接着学完全部内容。' : '这门课已下架，后面的课时不再开放。'}
        </p>
      )}
      {left !== null && (
        <p className={classes.said} role="timer">
          {left} 秒后自动播放
        </p>
      )}
      <div className={clsx(common.wrap, classes.acts)}>
        {quiz && <Button onClick={() => onQuiz(quiz.no)}>做单元测验</Button>}
        {next?.open && (
          <Button {...(quiz && { look: 'light' })} onClick={onNext}>
            {left === null ? '播放下一课时' : '立即播放'}
          </Button>
        )}
        {next && !next.open && forSale && <Button onClick={onCourse}>看看怎么购买</Button>}
        {left !== null ? (
          <Button look="light" onClick={cancel}>
            取消
          </Button>
        ) : (
          <Button look="light" onClick={onAgain}>
            重看
          </Button>
        )}
      </div>
    </section>
  )
}

/** The controls beneath are out of reach now: who was at them, or nowhere, is here, and back with them afterwards. */
function useFocus() {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const card = ref.current
    const stage = card?.closest<HTMLElement>('[data-stage]')
    const holds = (within: Element | null | undefined) => within?.contains(document.activeElement)
    if (focusIsNowhere() || holds(stage)) card?.focus({ preventScroll: true })
    return () => {
      if (holds(card)) stage?.focus({ preventScroll: true })
    }
  }, [])
  return ref
}

/** Seconds until it goes on; null: it does not. A page out of sight goes on at once, or a phone would put it to rest. */
function useCountdown(on: boolean, onEnd: () => void): [number | null, () => void] {
  const [left, setLeft] = useState(COUNT)
  const [cancelled, setCancelled] = useState(false)
  const counts = on && !cancelled
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (!counts) return
    if (document.visibilityState === 'hidden') return end()
    const timer = setInterval(() => setLeft((old) => Math.max(0, old - 1)), 1_000)
    return () => clearInterval(timer)
  }, [counts])
  useEffect(() => {
    if (counts && left === 0) end()
  }, [counts, left])
  return [counts ? left : null, () => setCancelled(true)]
}
