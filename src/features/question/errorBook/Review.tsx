import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import classes from './Book.module.css'
import type { Plan } from './useBook.ts'

/** 今日复习: how many there are today, and what becomes of the rest. */
export function Review({ plan, paused }: { plan: Plan; paused: number }) {
  const { today, later } = plan
  if (today + later === 0) return null
  return (
    <section className={clsx(common.between, classes.review)} aria-labelledby="review">
      <div className={clsx(common.column, classes.plan)}>
        <h2 id="review" className={common.subheading}>
          {today > 0 ? `今日复习 ${today} 题` : '今天的复习做完了'}
        </h2>
        <p className={common.warm}>{textOf(plan, paused)}</p>
      </div>
      <Link
        to="/question/library_error_study/$no/$mode/$consolidate"
        params={{ no: 'all', mode: 'answer', consolidate: true }}
        {...buttonLook({ look: 'light' })}
      >
        {today > 0 ? '开始复习' : '再复习一些'}
      </Link>
    </section>
  )
}

function textOf({ today, later, days }: Plan, paused: number): string {
  if (later === 0) return '按记忆规律，这些题今天最该再做一遍。'
  const rest = `还有 ${later} 题分到后面 ${days} 天。`
  if (today === 0) return rest
  return paused > 0 ? `已 ${paused} 天没有复习，先做最要紧的 ${today} 题，${rest}` : `先做最要紧的 ${today} 题，${rest}`
}
