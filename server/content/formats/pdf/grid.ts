import { type Box, heightOf, middle, widthOf } from './page.ts'

/** A table that is drawn with lines: its cells, from left to right and from top to bottom. */
export interface Grid extends Box {
  rows: GridCell[][]
}
export interface GridCell extends Box {
  column: number
  span: number
  /** It goes on from the cell above. */
  goesOn: boolean
}
export interface Grids {
  grids: Grid[]
  /** These are drawn of straight lines without being a table. */
  figures: Box[]
  /** Lines that meet no others. */
  loose: Box[]
}

/** Lines that are nearer to each other meet. */
const MEET = 3
/** Lines of one page: what has more is drawn, not written. */
const MOST_RULES = 3000
const isLying = (rule: Box): boolean => widthOf(rule) >= heightOf(rule)

/** Finds the tables among the lines of a page. @param isFilled tells whether words stand in a box */
export function gridsOf(rules: readonly Box[], isFilled: (box: Box) => boolean): Grids {
  if (rules.length > MOST_RULES) return { grids: [], figures: [], loose: [...rules] }
  const found: Grids = { grids: [], figures: [], loose: [] }
  for (const group of meeting(rules)) {
    const [lying, standing] = [group.filter(isLying), group.filter((rule) => !isLying(rule))]
    const grid = lying.length > 1 && standing.length > 1 ? gridOf(lying, standing) : null
    const cells = grid?.rows.flat().filter(({ goesOn }) => !goesOn) ?? []
    if (lying.length === 0 || standing.length === 0) found.loose.push(...group)
    else if (!grid || cells.length > 1) {
      const filled = cells.filter(isFilled).length
      if (grid && filled > 1 && filled >= LEAST_FILLED * cells.length) found.grids.push(grid)
      else found.figures.push(...group)
    } else if (!cells.some(isFilled)) found.figures.push(...group)
  }
  return found
}
/** Most cells of a table have words in them; the meshes of a circuit have none. */
const LEAST_FILLED = 0.3

/** Groups lines that touch each other, whichever others are between them. */
function meeting(rules: readonly Box[]): Box[][] {
  const sorted = rules.toSorted((a, b) => a.top - b.top)
  const group = sorted.map((_, i) => i)
  const rootOf = (i: number): number => {
    let root = i
    while (group[root] !== root) root = group[root] ?? root
    group[i] = root
    return root
  }
  for (const [i, a] of sorted.entries())
    for (let n = i + 1; n < sorted.length; n++) {
      const b = sorted[n]
      if (!b || b.top > a.bottom + MEET) break
      if (b.left <= a.right + MEET && a.left <= b.right + MEET) group[rootOf(n)] = rootOf(i)
    }
  return [...Map.groupBy(sorted.keys(), rootOf).values()].map((each) => each.flatMap((i) => sorted[i] ?? []))
}

/** Places that are nearer to each other are one. */
function places(of: readonly number[]): number[] {
  const found: number[] = []
  for (const each of of.toSorted((a, b) => a - b)) if (each - (found.at(-1) ?? -Infinity) > MEET) found.push(each)
  return found
}

const centre = ({ left, right }: Box): number => (left + right) / 2
const MOST_CELLS = 2000
function gridOf(lying: readonly Box[], standing: readonly Box[]): Grid | null {
  const [xs, ys] = [places(standing.map(centre)), places(lying.map(middle))]
  if (xs.length < 2 || ys.length < 2 || xs.length * ys.length > MOST_CELLS) return null
  const isAbove = (column: number, row: number) => {
    const x = ((xs[column] ?? 0) + (xs[column + 1] ?? 0)) / 2
    return lying.some((rule) => Math.abs(middle(rule) - (ys[row] ?? 0)) <= MEET && rule.left <= x && rule.right >= x)
  }
  const isBefore = (column: number, row: number) => {
    const y = ((ys[row] ?? 0) + (ys[row + 1] ?? 0)) / 2
    return standing.some(
      (rule) => Math.abs(centre(rule) - (xs[column] ?? 0)) <= MEET && rule.top <= y && rule.bottom >= y,
    )
  }
  const rows = ys.slice(0, -1).map((top, row) => {
    const cells: GridCell[] = []
    for (let column = 0; column < xs.length - 1; column++) {
      const last = cells.at(-1)
      if (last && column > 0 && !isBefore(column, row)) {
        last.span++
        last.right = xs[column + 1] ?? last.right
      } else
        cells.push({
          left: xs[column] ?? 0,
          right: xs[column + 1] ?? 0,
          top,
          bottom: ys[row + 1] ?? top,
          column,
          span: 1,
          goesOn: row > 0 && !isAbove(column, row),
        })
    }
    return cells
  })
  for (const [row, cells] of rows.entries())
    for (const cell of cells)
      for (let below = row + 1; ; below++) {
        const next = rows[below]?.find(({ column }) => column === cell.column)
        if (cell.goesOn || !next?.goesOn) break
        cell.bottom = next.bottom
      }
  return { left: xs[0] ?? 0, right: xs.at(-1) ?? 0, top: ys[0] ?? 0, bottom: ys.at(-1) ?? 0, rows }
}
