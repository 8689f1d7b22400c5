import { TYPE_NAMES } from '#src/contract/question.ts'
import type { Score } from '#src/domain/marking.ts'
import { marksText, type PaperResult, type Tally } from '#src/domain/paper.ts'
import card from '#src/ui/Card.module.css'
import { Radar } from './Radar.tsx'
import classes from '../Report.module.css'

/** Fewer corners make no picture. */
const CORNERS = 3

interface SectionsProps {
  result: PaperResult
  /** Of each section; null: nobody knows. */
  averages: readonly (Score | null)[]
}

/** 大题: mine against the average, as a picture and in figures. */
export function Sections({ result, averages }: SectionsProps) {
  const rows = result.bySection.map((row, i) => ({ ...row, name: row.title, average: averages[i] ?? null }))
  const share = (score: Score, full: Score) => (full === 0 ? 0 : score / full)
  const axes = rows.map(({ name, score, full, average }) => ({
    name,
    mine: share(score, full),
    average: average === null ? null : share(average, full),
  }))
  const known = rows.some(({ average }) => average !== null)
  return (
    <section className={card.card} aria-labelledby="by-section">
      <h2 id="by-section">各大题</h2>
      {axes.length >= CORNERS && <Radar axes={axes} />}
      {known && (
        <p className={classes.legend}>
          <i data-mine /> 我的得分率　
          <i data-average /> 平均
        </p>
      )}
      <MarksTable name="大题" rows={rows} averages={known} bars={axes.length < CORNERS} />
    </section>
  )
}

/** 题型. */
export const Types = ({ result }: { result: PaperResult }) => (
  <section className={card.card} aria-labelledby="by-type">
    <h2 id="by-type">各题型</h2>
    <MarksTable name="题型" rows={result.byType.map((row) => ({ ...row, name: TYPE_NAMES[row.type] }))} bars />
  </section>
)

type Row = Pick<Tally, 'score' | 'full' | 'right' | 'total'> & { name: string; average?: Score | null; key?: string }
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
        {rows.map((row) => (
          <tr key={row.key ?? row.name}>
            <th scope="row">
              {row.name}
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
