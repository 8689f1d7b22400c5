import { IconBulb, IconCalendarDue } from '@tabler/icons-react'
import { clsx } from 'clsx'
import type { Source } from '#src/contract/study.ts'
import { streakOf } from '#src/domain/study/stats.ts'
import { useFigures } from '#src/offline/useFigures.ts'
import type { PlayerState } from '#src/player/playerState.ts'
import common from '#src/ui/common.module.css'
import { dueText, lessonsOf, praiseOf, tallyOf } from '../learnt.ts'
import classes from './BatchSummary.module.css'

const SAID = clsx(common.sunken, classes.said)

/** Says what a batch has come to: what went well, what it made of the day, what was learnt, and what comes back when. */
export function AfterBatch({ state, from }: { state: PlayerState; from: Source }) {
  const figures = useFigures()
  if (!figures) return null
  const { days, today, settings, all, due } = figures
  const tally = tallyOf(state)
  const answered = days.get(today)?.answered ?? 0
  const left = settings.dayGoal - answered
  const praise = praiseOf(tally, all, from)
  const lessons = lessonsOf(tally, all)
  const next = dueText(due, today)
  return (
    <>
      {praise && <p className={common.strong}>{praise}</p>}
      {answered > 0 && (
        <p className={clsx(common.wrap, classes.day)}>
          <span className={clsx(SAID, common.warm)}>连续学习 {streakOf(days, today)} 天</span>
          <span className={clsx(SAID, left > 0 ? common.warm : common.right)}>
            {left <= 0 ? '✓ 今日目标已完成' : `离今日目标还差 ${left} 题`}
          </span>
        </p>
      )}
      {(lessons.length > 0 || next) && (
        <ul className={clsx(common.stack, common.sunken, classes.learnt)} aria-label="这一组的收获">
          {lessons.map((line) => (
            <li key={line} className={common.row}>
              <IconBulb className={clsx(common.fixed, common.warm)} size={20} aria-hidden="true" />
              {line}
            </li>
          ))}
          {next && (
            <li className={common.row}>
              <IconCalendarDue className={clsx(common.fixed, common.accent)} size={20} aria-hidden="true" />
              {next}
            </li>
          )}
        </ul>
      )}
    </>
  )
}
