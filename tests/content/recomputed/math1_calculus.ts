import { bend, changes, grid, integral, near, slope, zero } from './analysis.ts'
import { being, chosen, filled, gap, holding, judged, rightSide, worth } from './asked.ts'
import { valueOf } from './formula.ts'
import { at, range, sum } from './numbers.ts'

type Real = (x: number) => number
/** Approaches 0 from one side; half the step takes the error of the first order away. */
const side = (f: Real, h: number): number => 2 * f(h / 2) - f(h)
const limit = (f: Real, h = 1e-3): number => (side(f, h) + side(f, -h)) / 2
const hasLimit = (f: Real): boolean => {
  const near0 = [1e-4, -1e-4, 3e-4, -3e-4, 7e-4, -7e-4].map(f)
  return Math.max(...near0) - Math.min(...near0) < 0.01
}
/** Tells whether integrals up to ever farther bounds come to rest. */
const settles = (upTo: (k: number) => number): boolean =>
  Math.abs(upTo(24) - upTo(18)) < 0.6 * Math.abs(upTo(18) - upTo(12))
const numbersIn = (text: string): number[] => text.match(/-?\d+/g)?.map(Number) ?? []
const wave: Real = (x) => (x === 0 ? 0 : x * x * Math.sin(1 / x))

/** These find the limits and derivatives of math1.json. */
export const math1Derivatives = {
  ma1_0001: () => worth('ma1_0001', Math.round(limit((x) => Math.sin(3 * x) / Math.tan(5 * x)) * 1e5) / 1e5),
  ma1_0002: () => {
    const f: Real = (h) => (1 - 2 * h) ** (3 / h)
    return worth('ma1_0002', limit(f, 1e-5))
  },
  ma1_0003: () =>
    chosen('ma1_0003', (text) =>
      near(
        valueOf(text),
        limit((x) => (Math.tan(x) - Math.sin(x)) / x ** 3, 0.01),
        1e-3,
      ),
    ),
  ma1_0004: () =>
    filled(
      'ma1_0004',
      limit((x) => Math.log(1 + 3 * x) / (Math.exp(2 * x) - 1), 1e-4),
    ),
  ma1_0005: () =>
    chosen('ma1_0005', (text) =>
      near(
        limit((x) => valueOf(text, { x }) / x ** 2, 0.01),
        1,
        1e-3,
      ),
    ),
  ma1_0006: () => {
    const f: Real = (x) => (x * x - 1) / (x * x - 3 * x + 2)
    const removable = (x: number): boolean => near(f(x - 1e-6), f(x + 1e-6), 1e-3)
    return chosen('ma1_0006', (text) => {
      const both = /都是(可去|无穷)/.exec(text)?.[1]
      const kinds = both ? [both, both] : [...text.matchAll(/是(可去|无穷)/g)].map(([, kind]) => kind)
      return [1, 2].every((x, i) => (kinds[i] === '可去') === removable(x))
    })
  },
  ma1_0007: () =>
    holding('ma1_0007', {
      'x\\sin': hasLimit((x) => x * Math.sin(1 / x)),
      '|x|': hasLimit((x) => Math.abs(x) / x),
      '\\mathrm e': hasLimit((x) => Math.exp(Math.min(1 / x, 100))),
      '\\arctan': hasLimit((x) => Math.atan(1 / x ** 2)),
    }),
  ma1_0008: () => judged(!hasLimit((x) => Math.cos(x) + Math.sin(1 / x)) && !hasLimit((x) => x + Math.abs(x) / x)),
  ma1_0009: () =>
    worth(
      'ma1_0009',
      limit((x) => Math.cos(x) ** (1 / x ** 2)),
    ),
  ma1_0010: () => {
    // The numerator must vanish at 1; of such pairs one has the limit 3.
    const quotient = (a: number): number => limit((h) => ((1 + h) ** 2 + a * (1 + h) - 1 - a) / h)
    const a = zero((x) => quotient(x) - 3, -10, 10)
    return filled('ma1_0010', a, -1 - a)
  },
  ma1_0011: () =>
    chosen('ma1_0011', (text) => {
      const [from = NaN, to = NaN] = numbersIn(text)
      return changes((x) => x ** 5 - 3 * x - 1, grid(from, to, 1000)) > 0
    }),
  ma1_0012: () => {
    const f: Real = (x) => 2 * Math.sin(x) + x * x
    return worth(
      'ma1_0012',
      limit((h) => (f(3 * h) - f(-h)) / h, 1e-4),
    )
  },
  ma1_0013: () => being('ma1_0013', (x) => slope((t) => t ** t, x)),
  ma1_0014: () => being('ma1_0014', (t) => bend((x) => Math.sqrt(x) ** 3, t * t), 't'),
  ma1_0015: () => {
    const y: Real = (x) => zero((v) => Math.exp(v) + x * v - Math.E, -5, 5)
    return filled('ma1_0015', slope(y, 0))
  },
  ma1_0016: () => worth('ma1_0016', Math.max(...grid(-2, 6, 8000).map((x) => x ** 3 - 3 * x * x - 9 * x + 5))),
  ma1_0017: () => {
    const f: Real = (x) => x ** 4 - 4 * x ** 3
    // The grid keeps off the zeros themselves, where a sign would be lost.
    const turns = grid(-5.05, 5.05, 101)
      .filter((x) => bend(f, x - 0.05) * bend(f, x + 0.05) < 0)
      .map((x) => zero((t) => bend(f, t), x - 0.06, x + 0.06))
    const points = turns.map((x) => [Math.round(x), Math.round(f(x))])
    return chosen('ma1_0017', (text) => JSON.stringify(numbersIn(text)) === JSON.stringify(points.flat()))
  },
  ma1_0018: () =>
    chosen('ma1_0018', (text) =>
      [1e4, -1e4].every((x) => near(valueOf(rightSide(text), { x }) - x * Math.exp(1 / x), 0, 1e-3)),
    ),
  ma1_0019: () =>
    holding('ma1_0019', {
      '$f(x)$ 在 $x=0$ 处连续': hasLimit(wave),
      "$f'(x)$ 在 $x=0$ 处连续": hasLimit((x) => slope(wave, x, 1e-9)),
      "$f'(0)=1$": near(
        limit((h) => wave(h) / h),
        1,
        0.1,
      ),
      可导: hasLimit((h) => wave(h) / h),
    }),
  ma1_0020: () => {
    const cube: Real = (x) => x ** 3
    return judged(!(near(slope(cube, 0), 0) && cube(-0.1) < 0 && cube(0.1) > 0))
  },
  ma1_0021: () =>
    worth(
      'ma1_0021',
      zero((x) => slope((t) => t ** 3, x) - 27 / 3, 0, 3),
    ),
  ma1_0022: () => {
    // (a+bx)eˣ has the derivative (a+b+bx)eˣ.
    const [a] = range(10).reduce<[number, number]>(([c, b]) => [c + b, b], [0, 1])
    return filled('ma1_0022', a)
  },
  ma1_0023: () =>
    worth(
      'ma1_0023',
      changes((x) => Math.log(x) - x / Math.E + 1, grid(-10, 10, 999).map(Math.exp)),
    ),
}

const under =
  (f: Real): Real =>
  (x) =>
    integral(f, 0, x)
const products = [Math.sin, (x: number) => x ** 3, (x: number) => x * Math.cos(x)]

/** These find the integrals and the geometry of math1.json. */
export const math1Integrals = {
  ma1_0024: () =>
    chosen('ma1_0024', (text) =>
      [0.3, 0.9, 1.4].every((x) =>
        near(
          slope((t) => valueOf(rightSide(text), { x: t }), x),
          x * Math.exp(x * x),
        ),
      ),
    ),
  ma1_0025: () =>
    worth(
      'ma1_0025',
      integral((x) => x * Math.exp(x), 0, 1),
    ),
  ma1_0026: () =>
    filled(
      'ma1_0026',
      integral((x) => x ** 3 * Math.cos(x) + Math.sqrt(1 - x * x), -1, 1),
    ),
  ma1_0027: () => being('ma1_0027', (x) => slope((s) => integral((t) => Math.cos(t * t), 0, s * s), x)),
  ma1_0028: () =>
    worth(
      'ma1_0028',
      integral((x) => 1 / (1 + Math.sqrt(x)), 0, 4),
    ),
  ma1_0029: () =>
    holding('ma1_0029', {
      'x^2': settles((k) => integral((u) => Math.exp(u), 0, k)),
      'x\\sqrt x': settles((k) => integral((u) => Math.exp(-u / 2), 0, k)),
      '{\\sqrt x}': settles((k) => integral((u) => Math.exp(-u / 2), 0, k)),
      'x\\ln x': settles((k) => integral((u) => 1 / u, Math.log(2), k)),
    }),
  ma1_0030: () =>
    worth(
      'ma1_0030',
      integral((x) => Math.max(0, x + 2 - x * x), -1, 2),
    ),
  // Each height has a ring around the y axis.
  ma1_0031: () =>
    worth(
      'ma1_0031',
      integral((y) => Math.PI * (1 - Math.sqrt(y) ** 2), 0, 1),
    ),
  ma1_0032: () =>
    chosen('ma1_0032', (text) =>
      near(valueOf(text), sum(range(20_000).map((k) => 20_000 / (20_000 ** 2 + (k + 1) ** 2))), 1e-4),
    ),
  ma1_0033: () => judged(products.every((f) => [0.4, 1.1, 2].every((x) => near(under(f)(x), under(f)(-x))))),
  ma1_0034: () => {
    const f: Real = (x) => Math.sqrt(1 + Math.cos(2 * x))
    return worth('ma1_0034', integral(f, 0, Math.PI / 2) + integral(f, Math.PI / 2, Math.PI))
  },
  ma1_0035: () =>
    chosen('ma1_0035', (text) => {
      const f: Real = (x) => valueOf(text, { x })
      return [0.2, 0.8].every((x) => near(f(x), x + 2 * integral(f, 0, 1)))
    }),
  ma1_0036: () =>
    filled(
      'ma1_0036',
      integral((x) => Math.sin(x) ** 4, 0, Math.PI / 2),
    ),
  ma1_0037: () =>
    chosen('ma1_0037', (text) => JSON.stringify(numbersIn(text)) === JSON.stringify(cross([1, 2, -1], [2, -1, 1]))),
  ma1_0038: () =>
    chosen('ma1_0038', (text) => {
      const off = (x: number, y: number, z: number): number => gap(text, { x, y, z })
      const normal = [off(1, 0, 0), off(0, 1, 0), off(0, 0, 1)].map((value) => value - off(0, 0, 0))
      return near(off(1, 0, 2), 0) && near(Math.hypot(...cross(normal, [2, -1, 3])), 0)
    }),
  ma1_0039: () => filled('ma1_0039', Math.abs(dot([2, -2, 1], [3, -1, 2]) - 4) / Math.hypot(2, -2, 1)),
  // The angle is the smallest between the line and a direction within the plane.
  ma1_0040: () =>
    worth(
      'ma1_0040',
      Math.acos(
        Math.max(
          ...grid(0, 2 * Math.PI, 36_000).map(
            (t) => dot([1, 1, 0], [Math.cos(t), Math.sin(t) / Math.SQRT2, -Math.sin(t) / Math.SQRT2]) / Math.SQRT2,
          ),
        ),
      ),
    ),
  ma1_0041: () =>
    chosen('ma1_0041', (text) =>
      [0, 0.7, 1.9, 3.1].every((turn) =>
        [0, 0.5, 1.2].every((z) => {
          const y = 2 * Math.sqrt(1 + z * z)
          return near(gap(text, { x: y * Math.sin(turn), y: y * Math.cos(turn), z }), 0)
        }),
      ),
    ),
  // Each point in turn goes to where it is nearest to the other.
  ma1_0042: () => {
    let [s, t] = [0, 0]
    for (let i = 0; i < 200; i++) [s, t] = [dot([1, t, 2 + t], [1, 1, 0]) / 2, dot([s - 1, s, -2], [0, 1, 1]) / 2]
    return worth('ma1_0042', Math.hypot(1 - s, t - s, 2 + t))
  },
}
const dot = (a: readonly number[], b: readonly number[]): number => sum(a.map((x, i) => x * at(b, i)))
const cross = (a: readonly number[], b: readonly number[]): number[] =>
  range(3).map((i) => at(a, (i + 1) % 3) * at(b, (i + 2) % 3) - at(a, (i + 2) % 3) * at(b, (i + 1) % 3))
