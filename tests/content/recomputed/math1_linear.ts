import {
  adjugate,
  column,
  det,
  eigenvalues,
  entry,
  inverse,
  isSame,
  isZero,
  type Matrix,
  matrices,
  matrixOf,
  plus,
  rank,
  scaled,
  times,
  together,
  transposed,
  unit,
} from './algebra.ts'
import { grid, near, zero } from './analysis.ts'
import { chosen, filled, holding, judged, worth } from './asked.ts'
import { valueOf } from './formula.ts'
import { at, range } from './numbers.ts'

const A: Matrix = [
  [1, 2],
  [3, 5],
]
const B: Matrix = [
  [2, -1],
  [1, 1],
]
const SMALL = matrices(2, 2, [-2, -1, 0, 1, 2])
const FEW = matrices(2, 2, [-1, 0, 1])
const implies = (all: readonly Matrix[], one: (m: Matrix) => boolean, other: (m: Matrix) => boolean): boolean =>
  all.every((m) => !one(m) || other(m))
const hasReal = (m: Matrix): boolean => !Number.isNaN(eigenvalues(m)[0])

/** Finds the vectors in a text, which are written as rows. */
const vectorsIn = (text: string): number[][] =>
  [...text.matchAll(/\(([-\d,]+)\)/g)].map(([, list = '']) => list.split(',').map(Number))

/** These find the determinants and matrices of math1.json. */
export const math1Matrices = {
  ma1_0078: () =>
    filled(
      'ma1_0078',
      det([
        [2, 1, 0],
        [1, 3, 1],
        [0, 2, 2],
      ]),
    ),
  ma1_0079: () =>
    worth(
      'ma1_0079',
      det(
        scaled(
          2,
          adjugate([
            [1, 0, 0],
            [5, 2, 0],
            [3, 4, 1],
          ]),
        ),
      ),
    ),
  ma1_0080: () => {
    const [a, b] = [A, B]
    return holding('ma1_0080', {
      '(AB)^{\\mathrm T}': isSame(transposed(times(a, b)), times(transposed(b), transposed(a))),
      '^{-1}': isSame(inverse(times(a, b)), times(inverse(a), inverse(b))),
      '(A+B)^2': isSame(times(plus(a, b), plus(a, b)), plus(plus(times(a, a), times(a, b), 2), times(b, b))),
      '|A+B|': near(det(plus(a, b)), det(a) + det(b)),
    })
  },
  ma1_0081: () => chosen('ma1_0081', (text) => isSame(times(A, matrixOf(text)), unit(2))),
  ma1_0082: () =>
    chosen('ma1_0082', (text) => {
      const a = valueOf(text)
      return (
        rank([
          [1, 1, a],
          [1, a, 1],
          [a, 1, 1],
        ]) === 2
      )
    }),
  // The eigenvalues of such matrices are 2 and −1.
  ma1_0083: () => {
    const base: Matrix = [
      [1, 3],
      [2, 5],
    ]
    const a = times(
      times(base, [
        [2, 0],
        [0, -1],
      ]),
      inverse(base),
    )
    const wanted = inverse(plus(a, unit(2), 2))
    return chosen('ma1_0083', (text) =>
      isSame(wanted, plus(scaled(slopeIn(text, 'A'), a), unit(2), slopeIn(text, 'E'))),
    )
  },
  ma1_0084: () => judged(FEW.every((a) => det(a) === 0 || FEW.every((b) => !isZero(times(a, b)) || isZero(b)))),
  ma1_0085: () => {
    const a = times(column([1, 2, 3]), [[1, 1 / 2, 1 / 3]])
    const power = range(9).reduce<Matrix>((m) => times(m, a), a)
    return chosen('ma1_0085', (text) => near(entry(power, 1, 2), valueOf(text, { A: entry(a, 1, 2) })))
  },
  ma1_0086: () => {
    const invertible = (m: Matrix): boolean =>
      [
        [1, 0],
        [0, 1],
      ].every((each) => hasSolution(m, column(each)))
    const solvesZero = (m: Matrix): boolean =>
      grid(-6, 6, 12).every((x) =>
        grid(-6, 6, 12).every((y) => (x === 0 && y === 0) || !isZero(times(m, column([x, y])))),
      )
    return holding('ma1_0086', {
      'r(A)': together(SMALL, invertible, (m) => rank(m) === 2),
      'Ax=0': together(SMALL, invertible, solvesZero),
      特征值: together(SMALL.filter(hasReal), invertible, (m) => eigenvalues(m).every((x) => x > 1e-9)),
      '|A|': together(SMALL, invertible, (m) => det(m) !== 0),
    })
  },
}
const slopeIn = (text: string, name: 'A' | 'E'): number =>
  valueOf(text, { A: 0, E: 0, [name]: 1 }) - valueOf(text, { A: 0, E: 0 })

const hasSolution = (m: Matrix, b: Matrix): boolean => rank(m) === rank(m.map((row, i) => [...row, entry(b, i, 0)]))
/** These are all systems of a few equations with the numbers 0 and 1, of each shape. */
const SYSTEMS = [
  [1, 2],
  [2, 1],
  [2, 2],
  [2, 3],
  [3, 2],
].flatMap(([rows = 0, columns = 0]) =>
  matrices(rows, columns, [0, 1]).flatMap((m) =>
    matrices(rows, 1, [0, 1]).map((b) => ({ m, b, rows, columns, rank: rank(m) })),
  ),
)

/** These find the vectors and systems of math1.json. */
export const math1Systems = {
  ma1_0087: () =>
    filled(
      'ma1_0087',
      zero(
        (t) =>
          det([
            [1, 1, 1],
            [1, 2, 3],
            [1, 3, t],
          ]),
        -50,
        50,
      ),
    ),
  ma1_0088: () =>
    judged(
      implies(
        matrices(3, 3, [-1, 0, 1]),
        (m) => rank(m) === 3,
        (m) => rank(m.slice(0, 2)) === 2,
      ),
    ),
  ma1_0089: () =>
    chosen('ma1_0089', (text) => {
      const parts = text.replaceAll('$', '').split(',\\ ')
      const rows = parts.map((part) =>
        range(3).map((i) => valueOf(part, { alpha_1: 0, alpha_2: 0, alpha_3: 0, [`alpha_${i + 1}`]: 1 })),
      )
      return rank(rows) === 3
    }),
  ma1_0090: () => {
    const m: Matrix = [
      [1, 0, 0, 2, 1],
      [0, 1, 0, 3, 1],
      [0, 0, 1, 5, 1],
    ]
    // Two unknowns may be chosen freely, so there are as many independent solutions.
    const solutions = [
      [2, 3, 5, -1, 0],
      [1, 1, 1, 0, -1],
    ]
    const known = solutions.every((x) => isZero(times(m, column(x)))) ? rank(solutions) : NaN
    return worth('ma1_0090', rank([...m, ...solutions]) === 5 ? known : NaN)
  },
  ma1_0091: () => {
    const a = zero(
      (x) =>
        det([
          [1, 1, 1],
          [1, 2, 3],
          [2, 3, x],
        ]),
      -50,
      50,
    )
    return filled(
      'ma1_0091',
      hasSolution(
        [
          [1, 1, 1],
          [1, 2, 3],
          [2, 3, Math.round(a)],
        ],
        column([1, 2, 3]),
      )
        ? a
        : NaN,
    )
  },
  ma1_0092: () => {
    // This system has the solutions told, with η₂=η₁ and η₃=η₁−(2, 3, 4, 5).
    const m: Matrix = [
      [3, -2, 0, 0],
      [2, 0, -1, 0],
      [5, 0, 0, -2],
    ]
    const eta = [1, 2, 3, 4]
    const third = [-1, -1, -1, -1]
    const b = times(m, column(eta))
    const isAsTold = isSame(times(m, column(third)), b) && rank(m) === 3 && eta.every((x, i) => x + at(third, i) === i)
    return chosen('ma1_0092', (text) => {
      const [special = [], direction = []] = vectorsIn(text)
      return isAsTold && isSame(times(m, column(special)), b) && isZero(times(m, column(direction)))
    })
  },
  ma1_0093: () =>
    holding('ma1_0093', {
      'r(A)=m': SYSTEMS.every(({ m, b, rows, rank }) => rank !== rows || hasSolution(m, b)),
      'r(A)=n': SYSTEMS.every(({ m, b, columns, rank }) => rank !== columns || hasSolution(m, b)),
      两个不同: SYSTEMS.every(({ m, b, columns, rank }) => !hasTwo(m, b) || rank < columns),
      '若 $Ax=0$': SYSTEMS.every(({ m, b, columns, rank }) => rank < columns || (hasSolution(m, b) && !hasTwo(m, b))),
    }),
}
/** Tells whether two solutions are found among small whole numbers and halves. */
function hasTwo(m: Matrix, b: Matrix): boolean {
  const tried = matrices(m[0]?.length ?? 0, 1, [-1, -0.5, 0, 0.5, 1])
  return tried.filter((x) => isSame(times(m, x), b)).length > 1
}
