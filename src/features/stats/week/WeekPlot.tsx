import { MINUTE_MS } from '#src/domain/time/day.ts'
import { clsx } from 'clsx'
import { accuracyOf, type CalendarDay } from '#src/domain/study/stats.ts'
import common from '#src/ui/common.module.css'
import { dayText } from '#src/ui/dates.ts'
import { niceMost } from '#src/ui/list/Columns.tsx'
import chart from '#src/ui/list/Columns.module.css'
import { UnseenTable } from '#src/ui/text/UnseenTable.tsx'
import { percentText, tickText, timeText } from '../texts.ts'
import { weekdayText } from './texts.ts'
import classes from './Week.module.css'

const WIDTH = 340
const HEIGHT = 232
const LEFT = 34
const RIGHT = 336
/** Accuracy is drawn above, minutes below: on one axis of days, each with a scale of its own. */
const RATES = { title: 10, top: 34, bottom: 86 }
const MINUTES = { title: 114, top: 138, bottom: 196 }
interface WeekPlotProps {
  /** All days that are drawn; those after today are left blank. */
  days: readonly CalendarDay[]
  today: number
  /** Says what the days are, for who hears them. */
  caption: string
}

/** Draws accuracy and minutes by day. A day without study has a dash and breaks the line: it is no nought. */
export function WeekPlot({ days, today, caption }: WeekPlotProps) {
  const step = (RIGHT - LEFT) / days.length
  const middle = (i: number) => LEFT + step * (i + 0.5)
  const shown = days.filter(({ day }) => day <= today)
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={clsx(common.figures, chart.chart)} aria-hidden="true">
        <Rates days={shown} middle={middle} />
        <Minutes days={shown} middle={middle} width={step * 0.5} />
        {days.map(({ day }, i) => (
          <g key={day}>
            <text
              className={clsx(chart.label, day === today && classes.today)}
              x={middle(i)}
              y={212}
              textAnchor="middle"
            >
              {day === today ? '今天' : weekdayText(day)}
            </text>
            <text className={chart.label} x={middle(i)} y={226} textAnchor="middle">
              {tickText(day)}
            </text>
          </g>
        ))}
      </svg>
      <UnseenTable
        caption={caption}
        head={['日期', '答题用时', '答题', '正确率']}
        rows={days.map((each) => [`${dayText(each.day)} ${weekdayText(each.day)}`, ...saidOf(each, today)])}
      />
    </>
  )
}

function saidOf(each: CalendarDay, today: number): string[] {
  if (each.day > today) return ['还没到', '', '']
  if (each.answered === 0) return ['没有学习', '0 题', '—']
  return [timeText(each.spentMs), `${each.answered} 题`, percentText(accuracyOf(each))]
}

interface PartProps {
  days: readonly CalendarDay[]
  middle: (i: number) => number
}

function Rates({ days, middle }: PartProps) {
  const { top, bottom } = RATES
  const y = (rate: number) => bottom - (bottom - top) * rate
  const points = days.map((each, i) => {
    const rate = accuracyOf(each)
    return rate === null ? null : { day: each.day, rate, x: middle(i), y: y(rate) }
  })
  const path = points.map(
    (point, i) => point && `${points[i - 1] ? 'L' : 'M'}${point.x.toFixed(1)} ${point.y.toFixed(1)}`,
  )
  return (
    <g>
      <text className={chart.label} x={0} y={RATES.title}>
        正确率
      </text>
      <Grid at={[0, 0.5, 1].map((rate) => ({ y: y(rate), name: percentText(rate) }))} />
      <path className={chart.line} strokeWidth="2" d={path.filter(Boolean).join('')} />
      {points.map(
        (point) =>
          point && (
            <g key={point.day}>
              <circle className={chart.point} cx={point.x} cy={point.y} r="3" strokeWidth="2" />
              <text className={classes.figure} x={point.x} y={point.y - 8} textAnchor="middle">
                {percentText(point.rate)}
              </text>
            </g>
          ),
      )}
    </g>
  )
}

function Minutes({ days, middle, width }: PartProps & { width: number }) {
  const { top, bottom } = MINUTES
  const most = niceMost(Math.max(1, ...days.map(({ spentMs }) => spentMs / MINUTE_MS)))
  const tall = (minutes: number) => ((bottom - top) * minutes) / most
  return (
    <g>
      <text className={chart.label} x={0} y={MINUTES.title}>
        答题用时（分钟）
      </text>
      <Grid at={[0, 0.5, 1].map((at) => ({ y: bottom - tall(most * at), name: `${most * at}` }))} />
      {days.map(({ day, answered, spentMs }, i) => {
        const minutes = spentMs / MINUTE_MS
        if (answered === 0)
          return (
            <text key={day} className={chart.label} x={middle(i)} y={bottom - 6} textAnchor="middle">
              —
            </text>
          )
        return (
          <g key={day}>
            <rect
              className={chart.bar}
              x={middle(i) - width / 2}
              y={bottom - Math.max(1.5, tall(minutes))}
              width={width}
              height={Math.max(1.5, tall(minutes))}
              rx="2"
            />
            <text className={classes.figure} x={middle(i)} y={bottom - tall(minutes) - 6} textAnchor="middle">
              {Math.round(minutes) || '<1'}
            </text>
          </g>
        )
      })}
    </g>
  )
}

const Grid = ({ at }: { at: readonly { y: number; name: string }[] }) =>
  at.map(({ y, name }) => (
    <g key={name}>
      <path className={chart.grid} d={`M${LEFT} ${y}H${RIGHT}`} />
      <text className={chart.label} x={LEFT - 5} y={y + 4} textAnchor="end">
        {name}
      </text>
    </g>
  ))
