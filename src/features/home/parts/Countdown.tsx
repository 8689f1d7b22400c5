import { homeQuery } from '#src/api/home.ts'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { countdown } from '#src/domain/time/examDay.ts'
import { dayOf, dayOfDate } from '#src/domain/time/day.ts'
import { planSettings } from '#src/domain/study/plan.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import { useThings } from '#src/offline/useThings.ts'
import common from '#src/ui/common.module.css'
import classes from '../HomePage.module.css'

const TICK_MS = 60_000
const daysLook = clsx(common.heading, common.figures, common.warm, classes.days)

/**
 * Days to the exam: to the student's own date, else to the nearest one of the operator's calendar.
 * @param hint what stands in its line while there is none
 */
export function Countdown({ hint }: { hint: ReactNode }) {
  const settings = useThings('setting')
  const today = dayOf(useServerNow(TICK_MS))
  const { data } = useQuery(homeQuery())
  const calendar =
    data?.examDays.map(({ day, to = day, name }) => ({ day: dayOfDate(day), last: dayOfDate(to), name })) ?? []
  const exam = settings && countdown(planSettings(settings).examDay, calendar, today)
  if (!exam) return hint
  const { name, days } = exam
  if (days <= 0)
    return (
      <b className={daysLook}>
        {days ? '考试进行中' : '今天考试'}
        {name && `：${name}`}
      </b>
    )
  return (
    <>
      <span className={clsx(common.ellipsis, classes.until)}>距{name || '考试'}</span>{' '}
      <b className={daysLook}>{days}</b> 天
    </>
  )
}
