import { grid, integral, near, slope, toInfinity } from './analysis.ts'
import { being, chosen, filled, holding, judged, worth } from './asked.ts'
import { normal, valueOf } from './formula.ts'
import { at, mean, range, sum } from './numbers.ts'

/** Lists all ways to draw some of these one after the other, without putting back. */
export const draws = <T>(from: readonly T[], n: number): T[][] =>
  n === 0 ? [[]] : from.flatMap((one, i) => draws(from.toSpliced(i, 1), n - 1).map((rest) => [one, ...rest]))
const share = <T>(all: readonly T[], holds: (one: T) => boolean): number => all.filter(holds).length / all.length
const subsets = (n: number): number[][] => range(2 ** n).map((bits) => range(n).filter((i) => (bits >> i) % 2 === 1))
const factorial = (n: number): number => (n === 0 ? 1 : n * factorial(n - 1))
export const poisson = (mu: number, k: number): number => (mu ** k / factorial(k)) * Math.exp(-mu)
const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k)
type Chances = readonly (readonly [number, number])[]
const expected = (of: Chances, f: (x: number) => number = (x) => x): number => sum(of.map(([x, p]) => p * f(x)))
const variance = (of: Chances): number => expected(of, (x) => (x - expected(of)) ** 2)

/** These find the events of math1.json. */
export const math1Events = {
  ma1_0103: () => {
    // Six of ten equal cases are of A, four of these are of B as well, and one more is of B.
    const [a, b] = [range(6), [0, 1, 2, 3, 6]]
    const isAsTold = near(
      share(a, (each) => b.includes(each)),
      2 / 3,
    )
    return worth('ma1_0103', isAsTold ? share(range(10), (each) => a.includes(each) || b.includes(each)) : NaN)
  },
  ma1_0104: () => {
    const made = [...range(600).map((i) => ['甲', i < 12]), ...range(400).map((i) => ['乙', i < 12])]
    const faulty = made.filter(([, isFaulty]) => isFaulty)
    return filled(
      'ma1_0104',
      faulty.length / made.length,
      share(faulty, ([line]) => line === '甲'),
    )
  },
  ma1_0105: () =>
    worth(
      'ma1_0105',
      share(draws('rrrrrwww'.split(''), 2), ([one, other]) => one !== other),
    ),
  ma1_0106: () => {
    const tries = range(5).flatMap((a) => range(3).flatMap((b) => range(4).map((c) => a * b * c)))
    return worth(
      'ma1_0106',
      share(tries, (product) => product === 0),
    )
  },
  ma1_0107: () => {
    const events = subsets(4).filter((event) => event.length > 0)
    const independent = (a: readonly number[], b: readonly number[]): boolean =>
      near(
        share(range(4), (i) => a.includes(i) && b.includes(i)),
        (a.length / 4) * (b.length / 4),
      )
    return judged(events.every((a) => events.every((b) => a.some((i) => b.includes(i)) || !independent(a, b))))
  },
  // Bounds at which the width changes its formula cut the square.
  ma1_0108: () => {
    const width = (x: number): number => Math.min(60, x + 20) - Math.max(0, x - 20)
    return worth('ma1_0108', sum([0, 20, 40].map((from) => integral(width, from, from + 20))) / 60 ** 2)
  },
}

/** These find the random variables of math1.json. */
export const math1Variables = {
  ma1_0109: () => filled('ma1_0109', 1 / sum([1, 2, 3].map((k) => 2 ** -k))),
  ma1_0110: () => worth('ma1_0110', integral((x) => x * x, 1, 2) / integral((x) => x * x, 0, 2)),
  ma1_0111: () =>
    worth(
      'ma1_0111',
      integral((x) => Math.exp(-((x - 2) ** 2) / 18) / (3 * Math.sqrt(2 * Math.PI)), -60, 5),
    ),
  ma1_0112: () => {
    const mu = at(
      grid(0.1, 10, 9900).filter((each) => near(poisson(each, 1), poisson(each, 2), 1e-9)),
      0,
    )
    return worth('ma1_0112', poisson(mu, 4))
  },
  ma1_0113: () => {
    const beyond = (t: number): number => toInfinity((x) => Math.exp(-x / 10) / 10, t)
    return worth('ma1_0113', beyond(15) / beyond(5))
  },
  ma1_0114: () => being('ma1_0114', (y) => slope((t) => integral(() => 1 / 2, 0, Math.sqrt(t)), y), 'y'),
  ma1_0115: () => {
    const upTo = (y: number): number => integral((x) => 6 * x, 0, Math.min(y, 1 - y))
    return filled('ma1_0115', integral(upTo, 0, 1 / 2) + integral(upTo, 1 / 2, 1))
  },
}

/** These tables give the chances of pairs of small numbers: x, y and their weight. */
const TABLES = range(3 ** 6).map((code) => {
  const weights = range(6).map((i) => (Math.floor(code / 3 ** i) % 3) + (i === 0 ? 1 : 0))
  return weights.map((weight, i): [number, number, number] => [(i % 3) - 1, Math.floor(i / 3), weight / sum(weights)])
})
function pair(table: readonly (readonly [number, number, number])[]) {
  const e = (f: (x: number, y: number) => number): number => sum(table.map(([x, y, p]) => p * f(x, y)))
  const [x, y] = [e((a) => a), e((_, b) => b)]
  return {
    covariance: e((a, b) => (a - x) * (b - y)),
    product: e((a, b) => a * b) - x * y,
    spread: e((a, b) => (a + b - x - y) ** 2) - e((a) => (a - x) ** 2) - e((_, b) => (b - y) ** 2),
    isVarying: e((a) => (a - x) ** 2) > 1e-9 && e((_, b) => (b - y) ** 2) > 1e-9,
    isIndependent: table.every(([a, b, p]) =>
      near(p, e((each) => (each === a ? 1 : 0)) * e((_, each) => (each === b ? 1 : 0)), 1e-9),
    ),
  }
}
const PAIRS = TABLES.map(pair).filter(({ isVarying }) => isVarying)
const uncorrelatedMeans = (holds: (one: (typeof PAIRS)[number]) => boolean): boolean =>
  PAIRS.every((each) => holds(each) === near(each.covariance, 0, 1e-9))
const hits: Chances = range(11).map((k) => [k, choose(10, k) * 0.3 ** k * 0.7 ** (10 - k)])

/** These find the moments and limits of math1.json. */
export const math1Moments = {
  ma1_0116: () => worth('ma1_0116', variance(hits.map(([x, p]) => [2 * x - 1, p]))),
  ma1_0117: () =>
    filled(
      'ma1_0117',
      integral((x) => (x * x) / 6, 0, 6),
    ),
  ma1_0118: () => {
    // With independent U and V that are 1 or −1, X=2U and Y=3(U+√3·V)/2 are as told.
    const cases = [1, -1].flatMap((u) =>
      [1, -1].map((v): [number, number] => [2 * u, (3 * (u + Math.sqrt(3) * v)) / 2]),
    )
    const of = (f: (x: number, y: number) => number): number => variance(cases.map(([x, y]) => [f(x, y), 1 / 4]))
    const isAsTold =
      near(
        of((x) => x),
        4,
      ) &&
      near(
        of((_, y) => y),
        9,
      ) &&
      near(mean(cases.map(([x, y]) => x * y)), 0.5 * 6)
    return worth('ma1_0118', isAsTold ? of((x, y) => x - 2 * y) : NaN)
  },
  ma1_0119: () =>
    worth(
      'ma1_0119',
      toInfinity((x) => (x + Math.exp(-2 * x)) * Math.exp(-x), 0),
    ),
  ma1_0120: () =>
    holding('ma1_0120', {
      独立: uncorrelatedMeans(({ isIndependent }) => isIndependent),
      'Cov}(X,Y)=0': uncorrelatedMeans(({ covariance }) => near(covariance, 0, 1e-9)),
      'E(XY)': uncorrelatedMeans(({ product }) => near(product, 0, 1e-9)),
      'D(X+Y)': uncorrelatedMeans(({ spread }) => near(spread, 0, 1e-9)),
    }),
  // The bound is reached by a variable that is 0 but for two far values.
  ma1_0121: () => {
    const reached = (p: number): number =>
      variance([
        [-3, p / 2],
        [0, 1 - p],
        [3, p / 2],
      ])
    return worth('ma1_0121', grid(0, 1, 9000).findLast((p) => reached(p) <= 1 + 1e-9) ?? NaN)
  },
  ma1_0122: () => {
    const within = (x: number): number => (x - 400 * 0.2) / Math.sqrt(400 * 0.2 * 0.8)
    return chosen('ma1_0122', (text) => near(valueOf(text), normal(within(88)) - normal(within(72)), 2e-4))
  },
}
