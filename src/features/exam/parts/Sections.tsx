import { TYPE_NAMES } from '#src/contract/question.ts'
import { byType, type SatQuestion, type Sums, sumsOf } from '#src/domain/paper/examReport.ts'
import type { Score } from '#src/domain/question/rules.ts'
import { marksText } from '#src/domain/paper/paper.ts'
import card from '#src/ui/Card.module.css'
import { Radar } from './Radar.tsx'
import classes from '../Report.module.css'

/** Fewer corners make no picture. */
const CORNERS = 3

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
    <section className={card.card} aria-labelledby="by-section">
      <h2 id="by-section">各大题</h2>
      {drawn && <Radar axes={axes} />}
      {known && (
        <p className={classes.legend}>
          <span>
            <i /> 我的得分率
          </span>
          <span>
            <i data-average={drawn ? 'line' : 'tick'} /> 平均
          </span>
        </p>
      )}
      <MarksTable name="大题" rows={rows} averages={known} bars={!drawn} />
    </section>
  )
}
const share = (score: Score, full: Score): number => (full === 0 ? 0 : score / full)

/** 题型. */
export const Types = ({ questions }: { questions: readonly SatQuestion[] }) => (
  <section className={card.card} aria-labelledby="by-type">
    <h2 id="by-type">各题型</h2>
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

export function MarksTable({ name, rows, averages = false, bars = false }: MarksTableProps) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{name}</th>
          <th scope="col">答对</th>
          <th scope="col">得分</th>
          {averages && <th scope="col">平均</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          // Two may be named alike.
          <tr key={i}>
            <th scope="row">
              {row.name}
              {row.self && <small>自评</small>}
              {bars && <Meter score={row.score} full={row.full} average={row.average ?? null} />}
            </th>
            <td>
              {row.right}/{row.total}
            </td>
            <td>
              {marksText(row.score)}/{marksText(row.full)}
            </td>
            {averages && <td>{averageText(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const averageText = ({ average = null }: Row): string => (average === null ? '—' : marksText(average))

/** The share that was earned, with a line at the average. */
function Meter({ score, full, average }: { score: Score; full: Score; average: Score | null }) {
  if (full === 0) return null
  return (
    <span className={classes.meter} aria-hidden="true">
      <i style={{ width: `${(score / full) * 100}%` }} />
      {average !== null && <b style={{ insetInlineStart: `${(average / full) * 100}%` }} />}
    </span>
  )
}
