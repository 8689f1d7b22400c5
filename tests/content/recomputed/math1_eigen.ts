import {
  column,
  det,
  eigenvalues,
  entry,
  isSame,
  isZero,
  type Matrix,
  matrices,
  matrixOf,
  minors,
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
import { at, range, sum } from './numbers.ts'

const cubic =
  (m: Matrix) =>
  (x: number): number =>
    det(plus(scaled(x, unit(m.length)), m, -1))
const symmetric: Matrix[] = matrices(1, 3, [-2, -1, 0, 1, 2, 3]).map(([row = []]) => [
  [at(row, 0), at(row, 1)],
  [at(row, 1), at(row, 2)],
])
/** Tells whether the form is positive in every direction. */
const isPositive = (m: Matrix): boolean =>
  grid(0, Math.PI, 360).every((turn) => {
    const v = column([Math.cos(turn), Math.sin(turn)])
    return entry(times(transposed(v), times(m, v)), 0, 0) > 1e-9
  })

/** These find the eigenvalues and quadratic forms of math1.json. */
export const math1Eigenvalues = {
  ma1_0094: () =>
    filled(
      'ma1_0094',
      ...eigenvalues([
        [2, 1],
        [1, 2],
      ]),
    ),
  ma1_0095: () => {
    const a: Matrix = [
      [1, 4, 5],
      [0, 2, 6],
      [0, 0, 3],
    ]
    return worth('ma1_0095', det(plus(times(a, a), unit(3), -2)))
  },
  ma1_0096: () => {
    const x = zero(
      (t) =>
        det([
          [t, 1],
          [2, 3],
        ]) - 4,
      -50,
      50,
    )
    return filled(
      'ma1_0096',
      near(
        eigenvalues([
          [x, 1],
          [2, 3],
        ])[0],
        1,
      )
        ? x
        : NaN,
    )
  },
  ma1_0097: () =>
    chosen('ma1_0097', (text) => {
      const m = matrixOf(text)
      const [low, high] = eigenvalues(m)
      return near(low, high) && !isSame(m, scaled(low, unit(2)))
    }),
  ma1_0098: () =>
    judged(
      symmetric.every((m) => {
        const [low, high] = eigenvalues(m)
        if (near(low, high)) return true
        // A column of A−μE is an eigenvector for the other value.
        const of = (other: number): Matrix[] =>
          range(2).map((j) => column(plus(m, unit(2), -other).map((row) => at(row, j))))
        return of(low).every((p) => of(high).every((q) => isZero(times(transposed(p), q))))
      }),
    ),
  ma1_0099: () => {
    const right = grid(-2, 2, 399).filter((t) =>
      minors([
        [1, t, -1],
        [t, 1, 2],
        [-1, 2, 5],
      ]).every((each) => each > 0),
    )
    return chosen('ma1_0099', (text) => {
      const [low = '', , high = ''] = text.replaceAll('$', '').split('<')
      const inside = grid(-2, 2, 399).filter((t) => t > valueOf(low) && t < valueOf(high))
      return JSON.stringify(inside) === JSON.stringify(right)
    })
  },
  ma1_0100: () =>
    chosen('ma1_0100', (text) => {
      const factors = range(3).map((i) => valueOf(text, { y_1: 0, y_2: 0, y_3: 0, [`y_${i + 1}`]: 1 }))
      const polynomial = cubic([
        [0, 1, 1],
        [1, 0, 1],
        [1, 1, 0],
      ])
      return [-2, 0.5, 1, 3].every((x) =>
        near(
          polynomial(x),
          factors.reduce((all, each) => all * (x - each), 1),
        ),
      )
    }),
  ma1_0101: () =>
    holding('ma1_0101', {
      '|A|': together(symmetric, isPositive, (m) => det(m) > 0),
      特征值: together(symmetric, isPositive, (m) => eigenvalues(m)[0] > 1e-9),
      主对角线: together(symmetric, isPositive, (m) => range(2).every((i) => entry(m, i, i) > 0)),
      顺序主子式: together(symmetric, isPositive, (m) => minors(m).every((each) => each > 0)),
    }),
  ma1_0102: () => {
    // The diagonal matrices that are as told must agree.
    const diagonals = matrices(3, 1, [-3, -2, -1, 0, 1, 2, 3]).map((values) =>
      values.map((_, i) => range(3).map((j) => (i === j ? entry(values, i, 0) : 0))),
    )
    const told = diagonals.filter((a) => isZero(plus(times(a, a), a, 2)) && rank(a) === 2)
    const results = new Set(told.map((a) => det(plus(a, unit(3), 3))))
    return worth('ma1_0102', results.size === 1 ? sum([...results]) : NaN)
  },
}
