import { bend, course, grid, integral, near, slope, zero } from './analysis.ts'
import { chosen, filled, gap, holding, judged, rightSide, worth } from './asked.ts'
import { valueOf } from './formula.ts'
import { at, mean, range, sum } from './numbers.ts'

type Plane = (x: number, y: number) => number
type Real = (x: number) => number
const { PI } = Math

const overX = (f: Plane, x: number, y: number): number => slope((t) => f(t, y), x)
const overY = (f: Plane, x: number, y: number): number => slope((t) => f(x, t), y)
/** How far two ways towards the origin lead apart, and whether they end at the value there. */
const isContinuous = (f: Plane): boolean =>
  grid(0, 2 * PI, 17).every((turn) => Math.abs(f(1e-6 * Math.cos(turn), 1e-6 * Math.sin(turn)) - f(0, 0)) < 1e-3)
const rootOf: Plane = (x, y) => Math.sqrt(Math.abs(x * y))
const quotient: Plane = (x, y) => (x === 0 && y === 0 ? 0 : (x * y) / (x * x + y * y))

/** An integral over a turn, or a part of one. */
const around = (f: Real, to = 2 * PI): number => {
  const steps = 720
  return (to / steps) * sum(range(steps).map((i) => f(((i + 0.5) * to) / steps)))
}
const overDisc = (f: Plane, radius: number): number =>
  integral((r) => r * around((turn) => f(r * Math.cos(turn), r * Math.sin(turn))), 0, radius)

/** The inner and the outer limits that an option writes. */
function swapped(text: string, f: Plane): number {
  const [outer, inner] = [...text.matchAll(/\\int_(\{[^}]*\}|.)\^?(\\sqrt .|\{[^}]*\}|.)/g)]
  const [from, to] = [inner?.[1] ?? '', inner?.[2] ?? '']
  const limits = (y: number): [number, number] => [valueOf(from, { y }), valueOf(to, { y })]
  if (outer?.[1] !== '0' || outer[2] !== '1') return NaN
  return integral((y) => integral((x) => f(x, y), ...limits(y)), 0, 1)
}

/** Several variables in math1.json. */
export const math1Several = {
  ma1_0043: () =>
    chosen('ma1_0043', (text) =>
      [
        [1, 2],
        [3, 0.5],
        [-1.5, 2],
      ].every(([x = NaN, y = NaN]) =>
        near(
          valueOf(text, { x, y }),
          overX((a, b) => Math.atan(b / a), x, y),
        ),
      ),
    ),
  ma1_0044: () => {
    const f: Plane = (x, y) => Math.exp(x * y)
    return chosen('ma1_0044', (text) =>
      [
        [1, 0],
        [0, 1],
      ].every(([dx = NaN, dy = NaN]) => near(valueOf(text, { dx, dy }), dx * overX(f, 1, 2) + dy * overY(f, 1, 2))),
    )
  },
  ma1_0045: () => {
    const u = (x: number, y: number, z: number): number => x * x + 2 * y * y + 3 * z * z
    const steepest = Math.max(
      ...grid(0, PI, 400).flatMap((tilt) =>
        grid(0, 2 * PI, 400).map((turn) => {
          const [a, b, c] = [Math.sin(tilt) * Math.cos(turn), Math.sin(tilt) * Math.sin(turn), Math.cos(tilt)]
          return slope((t) => u(1 + a * t, 1 + b * t, 1 + c * t), 0)
        }),
      ),
    )
    return chosen('ma1_0045', (text) => near(valueOf(text), steepest, 1e-4))
  },
  ma1_0046: () =>
    chosen('ma1_0046', (text) =>
      [
        [1, 0.5],
        [0.4, -1],
      ].every(([x = NaN, y = NaN]) => {
        const z = (t: number): number => zero((h) => t * t + y * y + h * h - 4 * h, -1, 2)
        return near(valueOf(text, { x, y, z: z(x) }), slope(z, x))
      }),
    ),
  ma1_0047: () => {
    const f: Plane = (x, y) => x ** 3 + y ** 3 - 3 * x * y
    const ring = grid(0, 2 * PI, 60).map((turn) => f(1 + 0.01 * Math.cos(turn), 1 + 0.01 * Math.sin(turn)) - f(1, 1))
    const kind = ring.every((d) => d > 0) ? '极小值' : ring.every((d) => d < 0) ? '极大值' : '没有'
    return chosen('ma1_0047', (text) => text.includes(kind) && near(valueOf(text.replace(/^.*值/, '')), f(1, 1)))
  },
  ma1_0048: () => {
    const best = Math.max(
      ...grid(0.1, 17.9, 178).flatMap((x) => grid(0.1, 8.9, 88).map((y) => x * y * Math.max(0, (18 - x - 2 * y) / 3))),
    )
    return filled('ma1_0048', best)
  },
  ma1_0049: () => {
    const [a, b] = [rootOf(1e-9, 0) / 1e-9, rootOf(0, 1e-9) / 1e-9]
    const rest = grid(0, 2 * PI, 17).map(
      (t) => rootOf(Math.cos(t) * 1e-6, Math.sin(t) * 1e-6) / 1e-6 - a * Math.cos(t) - b * Math.sin(t),
    )
    return holding('ma1_0049', {
      连续: isContinuous(rootOf),
      可微: rest.every((each) => Math.abs(each) < 1e-3),
      都存在: Number.isFinite(a) && Number.isFinite(b),
      '等于 1': near(a, 1) && near(b, 1),
    })
  },
  ma1_0050: () =>
    judged(isContinuous(quotient) || ![overX(quotient, 0, 0), overY(quotient, 0, 0)].every((each) => near(each, 0))),
  ma1_0051: () =>
    chosen('ma1_0051', (text) => {
      const off = (h: number, k: number): number => gap(text, { x: 1 + h, y: 1 + k, z: (1 + h) ** 2 + (1 + k) ** 2 })
      return (
        near(off(0, 0), 0) &&
        near(
          slope((h) => off(h, 0), 0),
          0,
        ) &&
        near(
          slope((k) => off(0, k), 0),
          0,
        )
      )
    }),
  ma1_0052: () => {
    const samples: Plane[] = [(x, y) => 1 + x + y * y, (x, y) => Math.exp(x) * (1 + y)]
    return chosen('ma1_0052', (text) =>
      samples.every((f) =>
        near(
          swapped(text, f),
          integral((x) => integral((y) => f(x, y), x * x, x), 0, 1),
        ),
      ),
    )
  },
  ma1_0053: () =>
    worth(
      'ma1_0053',
      overDisc((x, y) => x * x + y * y, 1),
    ),
  ma1_0054: () =>
    worth(
      'ma1_0054',
      integral((x) => integral((y) => Math.exp(-y * y), x, 1), 0, 1),
    ),
  ma1_0055: () =>
    worth(
      'ma1_0055',
      overDisc((x, y) => 4 - x * x - y * y, 2),
    ),
  ma1_0056: () =>
    worth(
      'ma1_0056',
      around((turn) => (2 * Math.cos(turn)) ** 2 * 2),
    ),
  ma1_0057: () =>
    worth(
      'ma1_0057',
      around((turn) => {
        const [x, y] = [Math.cos(turn), Math.sin(turn)]
        return (x * x - y) * -y + (x + y * y) * x
      }),
    ),
  // Each piece of the sphere with its outward normal.
  ma1_0058: () =>
    worth(
      'ma1_0058',
      integral(
        (tilt) =>
          around((turn) => {
            const n = [Math.sin(tilt) * Math.cos(turn), Math.sin(tilt) * Math.sin(turn), Math.cos(tilt)]
            return sum(n.map((each) => 2 * each * each)) * 4 * Math.sin(tilt)
          }),
        0,
        PI,
      ),
    ),
  // Along a parabola, as along any way.
  ma1_0059: () =>
    filled(
      'ma1_0059',
      integral((t) => 2 * t * (2 * t * t) + 1 + (t * t + 4 * t * t) * 4 * t, 0, 1),
    ),
  ma1_0060: () =>
    filled(
      'ma1_0060',
      integral((z) => overDisc((x, y) => x * x + y * y + z * z, Math.sqrt(1 - z * z)), -1, 1),
    ),
}

const partial = (term: (n: number) => number, to: number): number => sum(range(to).map((n) => term(n + 1)))
/** Whether the sums of ever more terms come to rest; slowly growing ones, as the harmonic, grow as much at each doubling. */
function converges(term: (n: number) => number): boolean {
  const [a, b, c] = [2 ** 10, 2 ** 13, 2 ** 16].map((to) => mean([partial(term, to), partial(term, to + 1)]))
  return Math.abs(at([c ?? NaN], 0) - at([b ?? NaN], 0)) < 0.9 * Math.abs(at([b ?? NaN], 0) - at([a ?? NaN], 0)) + 1e-9
}
const sign = (n: number): number => (n % 2 === 0 ? 1 : -1)
const jumping: Real = (n) => sign(n) / Math.sqrt(n)
const termOf =
  (text: string) =>
  (n: number): number =>
    valueOf(text.replace(/^.*\\infty/, '').replace('(-1)^nn', '(-1)^n n'), { n })

/** The sum of a Fourier series, by Fejér's means, which go to it without overshooting. */
function fourier(f: Real, x: number): number {
  const order = 400
  // The kernel is of the distance from x; the function jumps at 0 and at the ends.
  const kernel = (t: number): number => (Math.sin(((order + 1) * t) / 2) / Math.sin(t / 2)) ** 2 / (order + 1)
  const steps = 200_000
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

/** Series of math1.json. */
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
    // Long division: each coefficient is what the denominator leaves.
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
      '\\lim': Math.abs(jumping(2 ** 20)) < 0.01,
      '|a_n|': converges((n) => Math.abs(jumping(n))),
      'a_{n+1}': converges((n) => jumping(n) + jumping(n + 1)),
    }),
  ma1_0069: () => judged(converges((n) => 1 / n)),
}

/** The sides of y″+py′+qy apart from 0, for all constants. */
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

/** Differential equations of math1.json. */
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
