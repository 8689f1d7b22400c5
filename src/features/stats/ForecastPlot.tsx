import { clsx } from 'clsx'
import type { Forecast } from '#src/domain/study/forecast.ts'
import common from '#src/ui/common.module.css'
import { dayText } from '#src/ui/dates.ts'
import chart from '#src/ui/list/Columns.module.css'
import { UnseenTable } from '#src/ui/text/UnseenTable.tsx'
import classes from './ForecastPlot.module.css'
import { percentText, tickText } from './texts.ts'

const WIDTH = 340
const HEIGHT = 170
const LEFT = 34
const RIGHT = 326
const TOP = 12
const BOTTOM = 144
/** A date has so much room. */
const TICKS = 5

interface ForecastPlotProps {
  now: Forecast['days']
  more: Forecast['days']
}

/** Draws the share that is known by day until the exam: as things go, with its band, and dashed with more minutes a day. */
export function ForecastPlot({ now, more }: ForecastPlotProps) {
  const first = now[0]?.day ?? 0
  const last = now.at(-1)?.day ?? first
  const x = (day: number) => LEFT + ((RIGHT - LEFT) * (day - first)) / Math.max(1, last - first)
  const y = (share: number) => BOTTOM - (BOTTOM - TOP) * share
  const path = (points: readonly (readonly [number, number])[]) =>
    points.map(([day, share], i) => `${i === 0 ? 'M' : 'L'}${x(day).toFixed(1)} ${y(share).toFixed(1)}`).join('')
  const band = [
    ...now.map(({ day, high }) => [day, high] as const),
    ...[...now].reverse().map(({ day, low }) => [day, low] as const),
  ]
  const known = (days: Forecast['days']) => path(days.map((each) => [each.day, each.known]))
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={clsx(common.figures, chart.chart)} aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <g key={share}>
            <path className={chart.grid} d={`M${LEFT} ${y(share)}H${RIGHT}`} />
            <text className={chart.label} x={LEFT - 4} y={y(share) + 4} textAnchor="end">
              {percentText(share)}
            </text>
          </g>
        ))}
        <path className={classes.band} d={`${path(band)}Z`} />
        <path className={classes.more} d={known(more)} />
        <path className={classes.now} d={known(now)} />
        {ticksOf(first, last).map(({ day, name }) => (
          <text key={day} className={chart.label} x={x(day)} y={HEIGHT - 8} textAnchor="middle">
            {name}
          </text>
        ))}
      </svg>
      <UnseenTable
        caption="考试前每天预计记得的比例"
        head={['日期', '现在的节奏', '大致范围', '每天多 10 分钟']}
        rows={now.map(({ day, known: share, low, high }, i) => [
          dayText(day),
          percentText(share),
          `${percentText(low)}–${percentText(high)}`,
          percentText(more[i]?.known ?? null),
        ])}
      />
    </>
  )
}

/** Dates at even distances; the first and the last by name. */
function ticksOf(first: number, last: number): { day: number; name: string }[] {
  const count = Math.min(TICKS, last - first + 1)
  const days = Array.from({ length: count }, (_, i) =>
    Math.round(first + ((last - first) * i) / Math.max(1, count - 1)),
  )
  return days.map((day) => ({ day, name: day === first ? '今天' : day === last ? '考试' : tickText(day) }))
}
