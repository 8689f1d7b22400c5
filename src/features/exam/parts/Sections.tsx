import { clsx } from 'clsx'
import { TYPE_NAMES } from '#src/contract/question.ts'
import { byType, type SatQuestion, type Sums, sumsOf } from '#src/domain/paper/examReport.ts'
import type { Score } from '#src/domain/question/rules.ts'
import { marksText } from '#src/domain/paper/paper.ts'
import table from '#src/player/paper/Table.module.css'
import common from '#src/ui/common.module.css'
import { useFold } from '#src/ui/list/useFold.tsx'
import { Radar } from './Radar.tsx'
import classes from '../Report.module.css'

/** Fewer corners make no picture. */
const CORNERS = 3
/** So many rows at first. */
const FIRST = 8

interface SectionsProps {
  questions: readonly SatQuestion[]
  titles: readonly string[]
  /** Of each section; null: nobody knows. */
  averages: readonly (Score | null)[]
}

/** 大题: mine against the average, as a picture and in figures. */
export function Sections({ questions, titles, averages }: SectionsProps) {
  const rows = titles.map((name, at): Row => {
    const sums = sumsOf(questions.filter(({ section }) => section === at))
    // Nobody knows what others gave themselves.
    return { ...sums, name, average: sums.self ? null : (averages[at] ?? null) }
  })
  const axes = rows
    .filter(({ self }) => !self)
    .map(({ name, score, full, average = null }) => ({
      name,
      mine: share(score, full),
      average: average === null ? null : share(average, full),
    }))
  const known = rows.some(({ average }) => average !== null)
  const drawn = axes.length >= CORNERS
  return (
    <section className={common.panel} aria-labelledby="by-section">
      <h2 id="by-section" className={common.subheading}>
        各大题
      </h2>
      {drawn && <Radar axes={axes} />}
      {known && (
        <p className={clsx(common.wrap, common.note, classes.legend)}>
          <span>
            <i className={classes.key} /> 我的得分率
          </span>
          <span>
            <i className={classes.key} data-average={drawn ? 'line' : 'tick'} /> 平均
          </span>
        </p>
      )}
      <MarksTable name="大题" rows={rows} averages={known} bars={!drawn} />
    </section>
  )
}
const share = (score: Score, full: Score): number => (full === 0 ? 0 : score / full)

interface TypesProps {
  questions: readonly SatQuestion[]
  /** Nothing stands beside it. */
  alone: boolean
}

/** 题型. */
export const Types = ({ questions, alone }: TypesProps) => (
  <section className={clsx(common.panel, alone && classes.wide)} aria-labelledby="by-type">
    <h2 id="by-type" className={common.subheading}>
      各题型
    </h2>
    <MarksTable
      name="题型"
      rows={byType(questions).map(([type, list]) => ({ ...sumsOf(list), name: TYPE_NAMES[type] }))}
      bars
    />
  </section>
)

interface Row extends Sums {
  name: string
  average?: Score | null
  /** By the student's own word. */
  self?: boolean
}
interface MarksTableProps {
  /** Of what its rows are. */
  name: string
  rows: readonly Row[]
  averages?: boolean
  /** A bar below each name, where no picture shows the shares. */
  bars?: boolean
}

const CELL = clsx(table.cell, classes.cell)
const NAME = clsx(table.name, classes.name)
const HEAD = clsx(common.caption, CELL, classes.head)

export function MarksTable({ name, rows, averages = false, bars = false }: MarksTableProps) {
  const { shown, fold } = useFold(rows, FIRST)
  return (
    <>
      <table className={clsx(common.figures, table.table, classes.table)}>
        <thead>
          <tr>
            <th className={HEAD} scope="col">
              {name}
            </th>
            <th className={HEAD} scope="col">
              答对
            </th>
            <th className={HEAD} scope="col">
              得分
            </th>
            {averages && (
              <th className={HEAD} scope="col">
                平均
              </th>
            )}
          </tr>
        </thead>
        <tbody className={classes.rows}>
          {shown.map((row, i) => (
            // Two may be named alike.
            <tr key={i}>
              <th className={NAME} scope="row">
                {row.name}
                {row.self && <small className={clsx(table.tag, common.warm, classes.self)}>自评</small>}
                {bars && <Meter score={row.score} full={row.full} average={row.average ?? null} />}
              </th>
              <td className={CELL}>
                {row.right}/{row.total}
              </td>
              <td className={CELL}>
                {marksText(row.score)}/{marksText(row.full)}
              </td>
              {averages && <td className={CELL}>{averageText(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {fold}
    </>
  )
}

const averageText = ({ average = null }: Row): string => (average === null ? '—' : marksText(average))

/** The share that was earned, with a line at the average. */
function Meter({ score, full, average }: { score: Score; full: Score; average: Score | null }) {
  if (full === 0) return null
  return (
    <span className={classes.meter} aria-hidden="true">
      <i className={classes.share} style={{ width: `${(score / full) * 100}%` }} />
      {average !== null && <b className={classes.average} style={{ insetInlineStart: `${(average / full) * 100}%` }} />}
    </span>
  )
}
