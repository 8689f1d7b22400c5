import { clsx } from 'clsx'
import { streakOf } from '#src/domain/study/stats.ts'
import { useFigures } from '#src/offline/useFigures.ts'
import common from '#src/ui/common.module.css'
import classes from './BatchSummary.module.css'

const SAID = clsx(common.sunken, classes.said)

/** What a batch made of the day: days in a row, and the day's goal. */
export function DayLine() {
  const figures = useFigures()
  if (!figures) return null
  const { days, today, settings } = figures
  const answered = days.get(today)?.answered ?? 0
  if (answered === 0) return null
  const left = settings.dayGoal - answered
  return (
    <>
      <span className={clsx(SAID, common.warm)}>连续学习 {streakOf(days, today)} 天</span>
      <span className={clsx(SAID, left > 0 ? common.warm : common.right)}>
        {left <= 0 ? '✓ 今日目标已完成' : `离今日目标还差 ${left} 题`}
      </span>
    </>
  )
}
