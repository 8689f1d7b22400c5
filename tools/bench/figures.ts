/** One measured figure beside its budget (docs: the budgets file of the project; bytes in KB of 1024, times in ms). */
export interface Figure {
  name: string
  value: number
  unit: 'KB' | 'MB' | 'ms' | '/s' | '%' | '×' | ''
  /** Left out: shown for the reader, with no budget of its own. */
  budget?: { max: number } | { min: number }
  /** Spread, counts, or what stands behind the value. */
  note?: string
}
/** A part that could not be measured here says why, instead of leaving its rows out. */
export interface Skipped {
  name: string
  why: string
}
export type Row = Figure | Skipped

export const isMissed = (row: Row): boolean => {
  if (!('value' in row) || !row.budget) return false
  // NaN, a figure that never came, is missed as well.
  return 'max' in row.budget ? !(row.value <= row.budget.max) : !(row.value >= row.budget.min)
}

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
export const median = (values: readonly number[]): number => percentile(values, 0.5)
/** "min–max of n" for the note of a median. */
export const spread = (values: readonly number[]): string =>
  `${shown(Math.min(...values))}–${shown(Math.max(...values))} of ${values.length}`

const shown = (value: number): string => {
  if (!Number.isFinite(value)) return '–'
  return Math.abs(value) >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}
const budgetText = ({ budget, unit }: Figure): string => {
  if (!budget) return ''
  return 'max' in budget ? `≤ ${shown(budget.max)} ${unit}` : `≥ ${shown(budget.min)} ${unit}`
}

export function printTable(rows: readonly Row[]): void {
  const cells = rows.map((row) =>
    'value' in row
      ? [
          row.name,
          `${shown(row.value)} ${row.unit}`,
          budgetText(row),
          row.budget ? (isMissed(row) ? 'MISSED' : 'ok') : '',
          row.note ?? '',
        ]
      : [row.name, 'not measured', '', '', row.why],
  )
  const table = [['figure', 'value', 'budget', '', ''], ...cells]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  for (const row of table)
    console.log(
      row
        .map((cell, column) =>
          column === 1 || column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
}
