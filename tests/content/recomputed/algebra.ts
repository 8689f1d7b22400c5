import { valueOf } from './formula.ts'
import { at, range, sum } from './numbers.ts'

export type Matrix = readonly (readonly number[])[]

export const entry = (m: Matrix, i: number, j: number): number => at(m[i] ?? [], j)
export const times = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => range(b[0]?.length ?? 0).map((j) => sum(row.map((x, k) => x * entry(b, k, j)))))
export const plus = (a: Matrix, b: Matrix, factor = 1): Matrix =>
  a.map((row, i) => row.map((x, j) => x + factor * entry(b, i, j)))
export const scaled = (factor: number, a: Matrix): Matrix => a.map((row) => row.map((x) => factor * x))
export const transposed = (a: Matrix): Matrix => range(a[0]?.length ?? 0).map((j) => a.map((row) => at(row, j)))
export const unit = (n: number): Matrix => range(n).map((i) => range(n).map((j) => (i === j ? 1 : 0)))
export const isZero = (a: Matrix): boolean => a.flat().every((x) => Math.abs(x) < 1e-9)
export const isSame = (a: Matrix, b: Matrix): boolean => isZero(plus(a, b, -1))

/** Expands along the first row. */
export const det = (m: Matrix): number =>
  m.length === 0 ? 1 : sum((m[0] ?? []).map((x, j) => (j % 2 === 0 ? 1 : -1) * x * det(without(m, 0, j))))
export const without = (m: Matrix, row: number, column: number): Matrix =>
  m.filter((_, i) => i !== row).map((each) => each.filter((_, j) => j !== column))
export const adjugate = (m: Matrix): Matrix =>
  m.map((_, i) => m.map((_, j) => ((i + j) % 2 === 0 ? 1 : -1) * det(without(m, j, i))))
export const inverse = (m: Matrix): Matrix => scaled(1 / det(m), adjugate(m))
export const minors = (m: Matrix): number[] => m.map((_, n) => det(m.slice(0, n + 1).map((row) => row.slice(0, n + 1))))

/** Counts the pivots of an elimination. */
export function rank(m: Matrix): number {
  const rows = m.map((row) => [...row])
  let found = 0
  for (const j of range(m[0]?.length ?? 0)) {
    const pivot = rows.findIndex((row, i) => i >= found && Math.abs(at(row, j)) > 1e-9)
    if (pivot === -1) continue
    const [row = []] = rows.splice(pivot, 1)
    rows.splice(found, 0, row)
    for (const other of rows.slice(found + 1)) {
      const factor = at(other, j) / at(row, j)
      for (const [k, x] of row.entries()) other[k] = at(other, k) - factor * x
    }
    found++
  }
  return found
}

/** Makes every matrix of a size whose entries are among these. */
export function matrices(rows: number, columns: number, entries: readonly number[]): Matrix[] {
  const lists = range(rows * columns).reduce<number[][]>(
    (all) => all.flatMap((list) => entries.map((x) => [...list, x])),
    [[]],
  )
  return lists.map((list) => range(rows).map((i) => list.slice(i * columns, (i + 1) * columns)))
}
/** Solves the characteristic equation of a matrix of two rows; complex eigenvalues come out as NaN. */
export function eigenvalues([[a = NaN, b = NaN] = [], [c = NaN, d = NaN] = []]: Matrix): [number, number] {
  const root = Math.sqrt((a - d) ** 2 + 4 * b * c)
  return [(a + d - root) / 2, (a + d + root) / 2]
}

/** Reads the matrix that a formula writes. */
export const matrixOf = (text: string): Matrix =>
  (/matrix\}(.*)\\end/.exec(text)?.[1] ?? '').split('\\\\').map((row) => row.split('&').map((cell) => valueOf(cell)))
export const column = (numbers: readonly number[]): Matrix => numbers.map((x) => [x])
/** Tells whether two conditions hold for the same matrices. */
export const together = (all: readonly Matrix[], one: (m: Matrix) => boolean, other: (m: Matrix) => boolean): boolean =>
  all.every((m) => one(m) === other(m))
