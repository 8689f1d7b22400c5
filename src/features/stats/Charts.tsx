import { type PlannedDay, plannedOfDue, type PlanSettings } from '#src/domain/study/plan.ts'
import { accuracyOf, calendar, type Days } from '#src/domain/study/stats.ts'
import common from '#src/ui/common.module.css'
import { Columns } from '#src/ui/list/Columns.tsx'
import { dayText } from '#src/ui/dates.ts'
import { UnseenTable } from '#src/ui/text/UnseenTable.tsx'
import classes from './Stats.module.css'
import { percentText, tickText, timeText } from './texts.ts'

const DAYS = 30
/** A date under every so manieth column. */
const TICK_DAYS = 7

/** 每日: how many were answered, and how many of them rightly. */
export function Daily({ days, today }: { days: Days; today: number }) {
  const shown = calendar(days, today - DAYS + 1, today)
  return (
    <>
      <Columns
        columns={shown.map((each) => ({
          key: each.day,
          tick: (today - each.day) % TICK_DAYS === 0 ? tickText(each.day) : '',
          value: each.answered,
        }))}
        line={shown.map(accuracyOf)}
      />
      <p className={common.note}>
        <i className={classes.key} /> 答题数（左）{'　'}
        <i className={classes.key} data-line /> 正确率（右）
      </p>
      <UnseenTable
        caption="最近 30 天每天的答题数与正确率"
        head={['日期', '答题', '正确率', '用时']}
        rows={shown
          .filter(({ answered }) => answered > 0)
          .map((each) => [
            dayText(each.day),
            `${each.answered} 题`,
            percentText(accuracyOf(each)),
            timeText(each.spentMs),
          ])}
      />
    </>
  )
}

/** 复习安排: as it is planned, what is seen ahead for the exam hatched. */
export function Planned({ plan, settings }: { plan: readonly PlannedDay[]; settings: PlanSettings }) {
  const planned = plan.reduce((sum, day) => sum + day.planned, 0)
  const ahead = plan.reduce((sum, day) => sum + day.ahead, 0)
  const [today] = plan
  const later = today ? today.due - plannedOfDue(today) : 0
  if (planned === 0) return <p className={common.note}>这 14 天没有要复习的题。做错的题会按记忆规律安排到这里。</p>
  return (
    <>
      <Columns
        numbers
        columns={plan.map((each, i) => ({
          key: each.day,
          tick: tickOf(each.day, i, settings.examDay),
          value: each.planned,
          part: each.ahead,
        }))}
      />
      <p className={common.note}>
        共 {planned} 题，每天最多复习 {settings.minutesADay} 分钟。
        {later > 0 && `今天到期 ${today?.due} 题，先做最要紧的 ${today && plannedOfDue(today)} 题，其余顺延。`}
        {today && today.lapses > 0 && `今天有 ${today.lapses} 题是防遗忘：一直做对，隔久了再做一遍。`}
        {ahead > 0 && (
          <>
            <i className={classes.key} data-hatched /> 其中 {ahead} 题为考前提前复习。
          </>
        )}
      </p>
      <UnseenTable
        caption="接下来 14 天每天复习的题数"
        head={['日期', '安排', '其中考前提前', '当天到期']}
        rows={plan.map((each) => [dayText(each.day), `${each.planned} 题`, `${each.ahead} 题`, `${each.due} 题`])}
      />
    </>
  )
}

/** Every other day has its date; there is no room for one beside the exam. */
function tickOf(day: number, i: number, examDay: number | null): string {
  if (day === examDay) return '考试'
  return i % 2 === 0 && (examDay === null || Math.abs(day - examDay) > 1) ? tickText(day) : ''
}
