import { clsx } from 'clsx'
import { TYPE_NAMES } from '#src/contract/question.ts'
import type { Score } from '#src/domain/question/rules.ts'
import { marksText, type PaperResult, type Tally } from '#src/domain/paper/paper.ts'
import common from '#src/ui/common.module.css'
import { useFold } from '#src/ui/list/useFold.tsx'
import classes from './Score.module.css'
import table from './Table.module.css'

export function ScoreLine({ score, full }: { score: Score; full: Score }) {
  return (
    <p
      className={clsx(common.subheading, common.figures)}
      aria-label={`得分 ${marksText(score)}，满分 ${marksText(full)}`}
    >
      <strong className={clsx(common.accent, classes.points)}>{marksText(score)}</strong> / {marksText(full)} 分
    </p>
  )
}

/** A paper's marks by section and by type. */
export function ScoreTables({ result, section = '大题' }: { result: PaperResult; section?: string | undefined }) {
  return (
    <>
      <Table name={section} rows={result.bySection.map((row) => ({ ...row, name: row.title }))} />
      <Table name="题型" rows={result.byType.map((row) => ({ ...row, name: TYPE_NAMES[row.type] }))} />
    </>
  )
}

/** So many rows at first. */
const FIRST = 12
const HEAD = clsx(common.caption, table.cell)

function Table({ name, rows }: { name: string; rows: (Tally & { name: string })[] }) {
  const { shown, fold } = useFold(rows, FIRST)
  return (
    <>
      <table className={clsx(common.figures, table.table, classes.marks)}>
        <thead>
          <tr>
            <th className={clsx(HEAD, classes.first)} scope="col">
              {name}
            </th>
            <th className={HEAD} scope="col">
              答对
            </th>
            <th className={HEAD} scope="col">
              得分
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.name}>
              <th className={table.name} scope="row">
                {row.name}
              </th>
              <td className={table.cell}>
                {row.right}/{row.total}
              </td>
              <td className={table.cell}>
                {marksText(row.score)}/{marksText(row.full)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {fold}
    </>
  )
}
