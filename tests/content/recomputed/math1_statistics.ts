import { grid, integral, near, toInfinity } from './analysis.ts'
import { chosen, filled, holding, judged, worth } from './asked.ts'
import { draws, poisson } from './math1_chance.ts'
import { normal, valueOf } from './formula.ts'
import { mean, range, sum } from './numbers.ts'

/** Gives the share below x of a density whose factor is left out, as integration finds it. */
const shares = (density: (x: number) => number, from: number, x: number): number =>
  (from === 0 ? integral(density, 0, x) : toInfinity((t) => density(-t), -x)) /
  (toInfinity(density, 0) + (from === 0 ? 0 : toInfinity((t) => density(-t), 0)))
const student = (n: number, x: number): number => shares((t) => (1 + (t * t) / n) ** (-(n + 1) / 2), -1, x)
const LAWS: Readonly<Record<string, (x: number) => number>> = {
  't(2)': (x) => student(2, x),
  't(4)': (x) => student(4, x),
  'N(0,1)': (x) => normal(x),
  'F(1,2)': (x) => (x <= 0 ? 0 : shares((t) => t ** -0.5 * (1 + t / 2) ** -1.5, 0, x)),
}
/** Lists the samples of a law of the two points 0 and 1, with their chances. */
const samples = (p: number, n: number): { values: number[]; chance: number }[] =>
  range(2 ** n).map((bits) => {
    const values = range(n).map((i) => (bits >> i) % 2)
    return { values, chance: values.reduce((all, x) => all * (x === 1 ? p : 1 - p), 1) }
  })
const factorsOf = (text: string): number[] =>
  range(3).map((i) => valueOf(text, { X_1: 0, X_2: 0, X_3: 0, [`X_${i + 1}`]: 1 }))
/** Finds where a likelihood is greatest. */
const likeliest = (likelihood: (x: number) => number, points: readonly number[]): number =>
  points.reduce((best, x) => (likelihood(x) > likelihood(best) ? x : best))

/** These find the estimates of math1.json. */
export const math1Estimates = {
  ma1_0123: () => {
    // The sum above has the variance 2; r is the length of (X₃, X₄) below.
    const law = (x: number): number =>
      toInfinity((r) => normal(Math.max(-9, Math.min(9, (x * r) / Math.SQRT2))) * r * Math.exp((-r * r) / 2), 0)
    return chosen('ma1_0123', (text) =>
      [-0.5, 0.6, 1.5].every((x) => near(LAWS[text.replaceAll('$', '')]?.(x) ?? NaN, law(x), 1e-4)),
    )
  },
  ma1_0124: () =>
    chosen('ma1_0124', (text) =>
      [0.5, 2, 3.7].every((theta) =>
        near(valueOf(text, { mean: integral((x) => x * theta * x ** (theta - 1), 0, 1) }), theta),
      ),
    ),
  ma1_0125: () =>
    filled(
      'ma1_0125',
      likeliest((mu) => [2, 3, 1, 4, 0].reduce((all, k) => all * poisson(mu, k), 1), grid(0.01, 9, 899)),
    ),
  ma1_0126: () => {
    const seen = [1.3, 0.6, 1.7, 2.2, 0.9]
    const likelihood = (theta: number): number => (seen.every((x) => x <= theta + 1e-9) ? theta ** -seen.length : 0)
    return worth('ma1_0126', likeliest(likelihood, grid(0, 5, 500)))
  },
  ma1_0127: () => {
    const spread = (text: string): number => sum(factorsOf(text).map((each) => each ** 2))
    return chosen('ma1_0127', (text) => near(sum(factorsOf(text)), 1) && near(spread(text), 1 / 3))
  },
  ma1_0128: () => {
    const half = 1.96 * Math.sqrt(4 / 16)
    return filled('ma1_0128', 10 - half, 10 + half)
  },
  // The variance is the mean of half the squared differences of all pairs.
  ma1_0129: () => worth('ma1_0129', mean(draws([2, 4, 6, 8], 2).map(([a = NaN, b = NaN]) => (a - b) ** 2 / 2))),
  ma1_0130: () =>
    judged(
      [0.3, 0.5].every((p) => near(sum(samples(p, 3).map(({ values, chance }) => chance * mean(values) ** 2)), p * p)),
    ),
}

/** Gives the errors of a test that rejects a mean above a bound; its n values have the variance 1. */
const errors = (bound: number, n: number, other = 1): { first: number; second: number } => ({
  first: 1 - normal(bound * Math.sqrt(n)),
  second: normal((bound - other) * Math.sqrt(n)),
})
const BOUNDS = grid(-0.5, 1.5, 40)

/** These find the tests of hypotheses of math1.json. */
export const math1Tests = {
  ma1_0131: () => worth('ma1_0131', errors(0.6, 9).second),
  ma1_0132: () => {
    const t = (52 - 50) / Math.sqrt(4 ** 2 / 16)
    return `$t=${t}$，${Math.abs(t) > 2.131 ? '拒绝' : '不拒绝'} $H_0$`
  },
  ma1_0133: () => {
    const both = BOUNDS.map((bound) => errors(bound, 9))
    const byFirst = both.toSorted((a, b) => b.first - a.first)
    // Both chances are those when the hypothesis is true.
    const [rejectedWhenTrue, acceptedWhenTrue] = [1 - normal(0.6 * 3), normal(0.6 * 3)]
    return holding('ma1_0133', {
      不会减小: byFirst.every(({ second }, i) => i === 0 || second >= (byFirst[i - 1]?.second ?? NaN)),
      '等于 1': both.every(({ first, second }) => near(first + second, 1)),
      拒绝它: near(rejectedWhenTrue, errors(0.6, 9).first),
      接受它: near(acceptedWhenTrue, errors(0.6, 9).second),
    })
  },
  // Another mean is often not rejected either.
  ma1_0134: () => judged(errors(0.6, 9, 0.3).second < 1e-9),
}
