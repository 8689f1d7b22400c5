import { clsx } from 'clsx'
import { dateOf } from '#src/domain/time/day.ts'
import { calendar, type CalendarDay, type Days, mondayOf } from '#src/domain/study/stats.ts'
import common from '#src/ui/common.module.css'
import hidden from '#src/ui/text/Unseen.module.css'
import classes from './Stats.module.css'

const WEEKS = 5

interface CalendarProps {
  days: Days
  today: number
  /** Questions a day. */
  goal: number
}

/** Weeks of days, the darker the more was done; the figures stand in them, so nothing hangs on the shade. */
export function Calendar({ days, today, goal }: CalendarProps) {
  const monday = mondayOf(today)
  const weeks = Array.from({ length: WEEKS }, (_, i) => {
    const from = monday - (WEEKS - 1 - i) * 7
    return calendar(days, from, from + 6)
  })
  return (
    <>
      <table className={classes.calendar}>
        <caption className={hidden.unseen}>最近五周每天的答题数</caption>
        <thead>
          <tr>
            {['一', '二', '三', '四', '五', '六', '日'].map((name) => (
              <th key={name} className={clsx(common.caption, classes.plain)} scope="col" aria-label={`周${name}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]?.day}>
              {week.map((each) => (
                <Cell key={each.day} each={each} today={today} goal={goal} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={common.note}>格内是日期与答题数，颜色越深做得越多；✓ 为达成每日目标（{goal} 题）。</p>
    </>
  )
}

function Cell({ each, today, goal }: { each: CalendarDay; today: number; goal: number }) {
  const { day, answered } = each
  const [, month, date] = dateOf(day).split('-').map(Number)
  if (day > today)
    return (
      <td className={classes.day} data-later>
        <span className={hidden.unseen}>还没到</span>
      </td>
    )
  const reached = answered >= goal
  const level = answered === 0 ? 0 : reached ? 3 : answered * 2 >= goal ? 2 : 1
  return (
    <td className={classes.day} data-level={level} aria-current={day === today ? 'date' : undefined}>
      <span className={clsx(classes.below, classes.date)}>{date === 1 ? `${month}/1` : date}</span>
      <b className={clsx(common.figures, classes.count)}>
        {answered > 0 ? answered : ''}
        {reached && <span aria-hidden="true"> ✓</span>}
        <span className={hidden.unseen}>{answered > 0 ? `题${reached ? '，达成目标' : ''}` : '没有做题'}</span>
      </b>
    </td>
  )
}
