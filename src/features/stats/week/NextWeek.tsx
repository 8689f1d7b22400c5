import { mondayOf } from '#src/domain/study/stats.ts'
import { WEEK_DAYS } from '#src/domain/study/week.ts'
import type { Figures } from '#src/offline/record/figures.ts'
import common from '#src/ui/common.module.css'
import { dayText } from '#src/ui/dates.ts'
import { Columns } from '#src/ui/list/Columns.tsx'
import { UnseenTable } from '#src/ui/text/UnseenTable.tsx'
import { weekdayText } from './texts.ts'

/** Shows what next week holds: the days of the plan that 学习统计 shows, which always reaches its Sunday. */
export function NextWeek({ figures: { plan, today, settings } }: { figures: Figures }) {
  const monday = mondayOf(today) + WEEK_DAYS
  const days = plan.filter(({ day }) => day >= monday && day < monday + WEEK_DAYS)
  const planned = days.reduce((sum, each) => sum + each.planned, 0)
  const { examDay } = settings
  return (
    <section className={common.panel} aria-labelledby="next-week">
      <h2 id="next-week" className={common.subheading}>
        {planned > 0 ? `下周要复习 ${planned} 题` : '下周没有到期的复习'}
      </h2>
      {planned > 0 ? (
        <>
          <Columns
            numbers
            columns={days.map(({ day, planned: value }) => ({
              key: day,
              tick: day === examDay ? '考试' : weekdayText(day),
              value,
            }))}
          />
          <p className={common.note}>按现在的记录安排；这几天做错的题会再加进来。</p>
          <UnseenTable
            caption="下周每天复习的题数"
            head={['日期', '安排']}
            rows={days.map(({ day, planned: value }) => [`${dayText(day)} ${weekdayText(day)}`, `${value} 题`])}
          />
        </>
      ) : (
        <p className={common.note}>可以多做些新题，做错的会按记忆规律安排复习。</p>
      )}
    </section>
  )
}
