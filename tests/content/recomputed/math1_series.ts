import { bend, course, near, slope, zero } from './analysis.ts'
import { chosen, filled, holding, judged, rightSide } from './asked.ts'
import { valueOf } from './formula.ts'
import { at, mean, range, sum } from './numbers.ts'

type Real = (x: number) => number
const { PI } = Math

const partial = (term: (n: number) => number, to: number): number => sum(range(to).map((n) => term(n + 1)))
/** Tells whether the sums of ever more terms come to rest; the harmonic ones grow as much each time that the terms are doubled. */
function converges(term: (n: number) => number): boolean {
  const [a = NaN, b = NaN, c = NaN] = [2 ** 6, 2 ** 9, 2 ** 12].map((to) =>
    mean([partial(term, to), partial(term, to + 1)]),
  )
  return Math.abs(c - b) < 0.9 * Math.abs(b - a) + 1e-9
}
const sign = (n: number): number => (n % 2 === 0 ? 1 : -1)
const jumping: Real = (n) => sign(n) / Math.sqrt(n)
const termOf =
  (text: string) =>
  (n: number): number =>
    valueOf(text.replace(/^.*\\infty/, ''), { n })

/** Sums a Fourier series by Fejér's means, which go to its limit without overshooting. */
function fourier(f: Real, x: number): number {
  const order = 400
  const kernel = (t: number): number => (Math.sin(((order + 1) * t) / 2) / Math.sin(t / 2)) ** 2 / (order + 1)
  const steps = 40_000
  const h = (2 * PI) / steps
  return (
    (h / (2 * PI)) *
    sum(
      range(steps)
        .map((i) => -PI + (i + 0.5) * h)
        .map((t) => f(t) * kernel(x - t)),
    )
  )
}

/** These find the series of math1.json. */
export const math1Series = {
  ma1_0061: () => chosen('ma1_0061', (text) => converges(termOf(text))),
  ma1_0062: () =>
    chosen('ma1_0062', (text) => {
      const term = termOf(text)
      return Math.abs(term(2 ** 20)) < 0.01 && converges(term) && !converges((n) => Math.abs(term(n)))
    }),
  ma1_0063: () =>
    chosen('ma1_0063', (text) => {
      const ends = [-1, 3].map((x) =>
        converges((n) => (Math.exp(n * Math.log(Math.abs(x - 1) / 2)) * (x < 1 ? sign(n) : 1)) / n),
      )
      return text === `$${ends[0] ? '[' : '('}-1,3${ends[1] ? ']' : ')'}$`
    }),
  ma1_0064: () =>
    filled(
      'ma1_0064',
      partial((n) => n / 2 ** (n - 1), 200),
    ),
  ma1_0065: () =>
    chosen('ma1_0065', (text) =>
      near(
        valueOf(text),
        partial((n) => 1 / (n * (n + 2)), 200_000),
        1e-4,
      ),
    ),
  ma1_0066: () => {
    // Long division gives each coefficient from those before it.
    const c = [0, 1]
    while (c.length < 5) c.push(at(c, c.length - 1) + 2 * at(c, c.length - 2))
    return filled('ma1_0066', at(c, 4))
  },
  ma1_0067: () =>
    chosen('ma1_0067', (text) =>
      near(
        valueOf(text),
        fourier((x) => (x <= 0 ? -1 : 1 + x * x), PI),
        0.01,
      ),
    ),
  ma1_0068: () =>
    holding('ma1_0068', {
      'a_n^2': converges((n) => jumping(n) ** 2),
      '\\lim\\limits': Math.abs(jumping(2 ** 20)) < 0.01,
      '|a_n|': converges((n) => Math.abs(jumping(n))),
      'a_{n+1}': converges((n) => jumping(n) + jumping(n + 1)),
    }),
  ma1_0069: () => judged(converges((n) => 1 / n)),
}

/** Tells whether y″+py′+qy is 0 for all constants. */
const solves = (text: string, p: number, q: number): boolean =>
  [
    [1, 0],
    [0, 1],
  ].every(([C_1 = NaN, C_2 = NaN]) =>
    [0.2, 0.9].every((x) => {
      const y: Real = (t) => valueOf(rightSide(text), { x: t, C_1, C_2 })
      return near(bend(y, x) + p * slope(y, x) + q * y(x), 0, 1e-4)
    }),
  )

/** These find the differential equations of math1.json. */
export const math1Equations = {
  ma1_0070: () =>
    chosen('ma1_0070', (text) => {
      const y: Real = (x) => valueOf(rightSide(text), { x })
      return near(y(0), 3) && [0.3, 0.8].every((x) => near(slope(y, x), 2 * x * y(x)))
    }),
  ma1_0071: () =>
    chosen('ma1_0071', (text) =>
      [0, 1, -2].every((C) => {
        const y: Real = (x) => valueOf(text.replace(/^.*=/, ''), { x, C })
        return [0.5, 1.7].every((x) => near(slope(y, x) + y(x) / x, x))
      }),
    ),
  ma1_0072: () => chosen('ma1_0072', (text) => solves(text, -3, 2)),
  ma1_0073: () => chosen('ma1_0073', (text) => solves(text, 4, 4)),
  // With the constants that fit at two points, a right form fits everywhere.
  ma1_0074: () =>
    chosen('ma1_0074', (text) => {
      const image = (a: number, b: number, x: number): number => {
        const y: Real = (t) => valueOf(text, { x: t, a, b })
        return bend(y, x) - slope(y, x) - 2 * y(x)
      }
      const points = [0.3, 1]
      const rows = points.map((x) => [image(1, 0, x), image(0, 1, x), x * Math.exp(2 * x)])
      const [[a = NaN, b = NaN, c = NaN] = [], [d = NaN, e = NaN, f = NaN] = []] = rows
      const det = a * e - b * d
      // Without a second constant there is one equation for the other.
      const found = text.includes('b') ? [(c * e - b * f) / det, (a * f - c * d) / det] : [c / a, 0]
      return [0.5, 0.8, 1.3].every((x) => near(image(at(found, 0), at(found, 1), x), x * Math.exp(2 * x), 1e-3))
    }),
  ma1_0075: () =>
    filled(
      'ma1_0075',
      course((_, y) => -y, [1, 2], PI / 2),
    ),
  ma1_0076: () => {
    const after = (k: number, minutes: number): number => course((_, u) => k * k * u, [80, -k * 80], minutes)
    const k = zero((each) => after(each, 10) - 40, 0.01, 0.5)
    return `${Math.round(20 + after(k, 20))} ℃`
  },
  ma1_0077: () =>
    chosen('ma1_0077', (text) => {
      // Along the curve that goes through (1, 0.7) the constant stays what it is there.
      const constant = (x: number, y: number): number => {
        const [left = '', right = ''] = text.split('=')
        const value = valueOf(left, { x, y })
        return zero((C) => valueOf(right, { x, C }) - value, -50, 50)
      }
      const [x, y] = [1, 0.7]
      return near(
        slope((h) => constant(x + h, y + h * (y / x + Math.tan(y / x))), 0),
        0,
        1e-4,
      )
    }),
}
