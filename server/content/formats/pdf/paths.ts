import { at, type Matrix } from './matrix.ts'
import { around, type Box, heightOf, widthOf } from './page.ts'

/** pdf.js writes a path with each of these before its numbers. */
const MOVE = 0
const LINE = 1
const CURVE = 2
const QUADRATIC = 3
const NUMBERS: Record<number, number> = { [MOVE]: 2, [LINE]: 2, [CURVE]: 6, [QUADRATIC]: 4 }

/** A line is drawn as a thin box by many programs. */
const THIN = 2.5
/** A line that leans by less is straight. */
const STRAIGHT = 0.6

interface Path {
  rules: Box[]
  /** Null: it is all of straight lines. */
  figure: Box | null
}
type Point = readonly [x: number, y: number]

/** @param isFilled boxes that are only coloured are ground, not lines */
export function drawnPath(numbers: ArrayLike<number>, matrix: Matrix, isFilled: boolean): Path {
  const lines: (readonly [Point, Point])[] = []
  const points: Point[] = []
  let [start, pen]: [Point, Point] = [at(matrix, 0, 0), at(matrix, 0, 0)]
  let isCurved = false
  const to = (point: Point) => {
    lines.push([pen, point])
    pen = point
  }
  for (let i = 0; i < numbers.length;) {
    const kind = numbers[i] ?? 0
    const count = NUMBERS[kind] ?? 0
    const given = Array.from({ length: count / 2 }, (_, n) =>
      at(matrix, numbers[i + 1 + 2 * n] ?? 0, numbers[i + 2 + 2 * n] ?? 0),
    )
    points.push(...given)
    const last = given.at(-1)
    if (kind === MOVE && last) start = pen = last
    else if (kind === LINE && last) to(last)
    else if (last) {
      isCurved = true
      pen = last
    } else to(start)
    i += 1 + count
  }
  if (points.length === 0) return { rules: [], figure: null }
  const box = around(points.map(([x, y]) => ({ left: x, top: y, right: x, bottom: y })))
  if (Math.min(widthOf(box), heightOf(box)) <= THIN) return { rules: [box], figure: null }
  const isStraight =
    !isCurved && lines.every(([[x, y], [u, v]]) => Math.abs(x - u) < STRAIGHT || Math.abs(y - v) < STRAIGHT)
  if (!isStraight) return { rules: [], figure: box }
  return { rules: isFilled ? [] : lines.map(boxOf), figure: null }
}

const boxOf = ([[x, y], [u, v]]: readonly [Point, Point]): Box => ({
  left: Math.min(x, u),
  top: Math.min(y, v),
  right: Math.max(x, u),
  bottom: Math.max(y, v),
})
