import { clsx } from 'clsx'
import { useId } from 'react'
import common from '../common.module.css'
import classes from './Columns.module.css'

interface Column {
  key: number
  /** Below it; '' for none. */
  tick: string
  value: number
  /** Of `value`, shown hatched on top. */
  part?: number
  /** Above it, which is then of another colour. */
  note?: string
}
interface ColumnsProps {
  columns: readonly Column[]
  /** Shares from 0 to 1, drawn over the columns; null breaks the line. */
  line?: readonly (number | null)[]
  /** The values stand above the columns. */
  numbers?: boolean
}

const WIDTH = 340
const HEIGHT = 150
const LEFT = 26
const TOP = 16
const BOTTOM = 130

/** Columns, and perhaps a line, as a picture; a table beside it says the same in words. */
export function Columns({ columns, line, numbers = false }: ColumnsProps) {
  const hatch = useId()
  const right = WIDTH - (line ? 32 : 4)
  const most = niceMost(Math.max(...columns.map(({ value }) => value), 1))
  const step = (right - LEFT) / columns.length
  const width = Math.max(3, step * 0.68)
  const middle = (i: number) => LEFT + step * (i + 0.5)
  const tall = (value: number) => ((BOTTOM - TOP) * value) / most
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={clsx(common.figures, classes.chart)} aria-hidden="true">
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path className={classes.part} strokeWidth="1.5" d="M1 0V5" />
      </pattern>
      <Axis most={most} right={right} shares={line !== undefined} />
      {columns.map(({ key, value, part = 0, tick, note }, i) => (
        <g key={key}>
          {value > 0 && (
            <rect
              className={note ? classes.noted : classes.bar}
              x={middle(i) - width / 2}
              y={BOTTOM - tall(value - part)}
              width={width}
              height={tall(value - part)}
            />
          )}
          {part > 0 && (
            <rect
              className={classes.part}
              x={middle(i) - width / 2}
              y={BOTTOM - tall(value)}
              width={width}
              height={tall(part)}
              fill={`url(#${hatch})`}
            />
          )}
          {note && (
            <text
              className={clsx(classes.label, classes.noted, common.strong)}
              x={middle(i)}
              y={BOTTOM - tall(value) - 4}
              textAnchor="middle"
            >
              {note}
            </text>
          )}
          {numbers && value > 0 && (
            <text className={classes.label} x={middle(i)} y={BOTTOM - tall(value) - 4} textAnchor="middle">
              {value}
            </text>
          )}
          {tick !== '' && (
            <text className={classes.label} x={middle(i)} y={HEIGHT - 5} textAnchor="middle">
              {tick}
            </text>
          )}
        </g>
      ))}
      {line && <Line points={line.map((share, i) => share !== null && [middle(i), BOTTOM - (BOTTOM - TOP) * share])} />}
    </svg>
  )
}

function Axis({ most, right, shares }: { most: number; right: number; shares: boolean }) {
  return [0, 0.5, 1].map((at) => {
    const y = BOTTOM - (BOTTOM - TOP) * at
    const value = most * at
    return (
      <g key={at}>
        <path className={classes.grid} d={`M${LEFT} ${y}H${right}`} />
        {Number.isInteger(value) && (
          <text className={classes.label} x={LEFT - 4} y={y + 4} textAnchor="end">
            {value}
          </text>
        )}
        {shares && (
          <text className={classes.label} x={right + 3} y={y + 4}>
            {at * 100}%
          </text>
        )}
      </g>
    )
  })
}

function Line({ points }: { points: readonly (false | readonly [number, number])[] }) {
  const path = points
    .map((point, i) => (point ? `${points[i - 1] ? 'L' : 'M'}${point[0].toFixed(1)} ${point[1].toFixed(1)}` : ''))
    .join('')
  return (
    <g>
      <path className={classes.line} strokeWidth="2" d={path} />
      {points.map(
        (point) =>
          point && (
            <circle key={point[0]} className={classes.point} cx={point[0]} cy={point[1]} r="2.5" strokeWidth="1.5" />
          ),
      )}
    </g>
  )
}

/** The next round number that has a half. */
export function niceMost(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 6, 8].find((n) => n * power >= value) ?? 10) * power
}
