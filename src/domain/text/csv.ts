/** By it Excel knows that a file is UTF-8. */
export const CSV_BEGIN = '\uFEFF'

/** What a spreadsheet takes for a formula, in either width: a text must never be one (OWASP, CSV Injection). */
const FORMULA = /^\s*[=+\-@＝＋－＠]/

/** Below nothing is no formula: a sum in yuan. */
const SUM = /^-\d+\.\d\d$/

/** One line of a CSV file that Excel opens rightly (RFC 4180). A text that looks like a formula gets an apostrophe before it. */
export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(cell: string | number): string {
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) && !SUM.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
