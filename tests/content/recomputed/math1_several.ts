import { grid, integral, near, slope, zero } from './analysis.ts'
import { chosen, filled, gap, holding, judged, worth } from './asked.ts'
import { valueOf } from './formula.ts'
import { range, sum } from './numbers.ts'

type Plane = (x: number, y: number) => number
type Real = (x: number) => number
const { PI } = Math

const overX = (f: Plane, x: number, y: number): number => slope((t) => f(t, y), x)
const overY = (f: Plane, x: number, y: number): number => slope((t) => f(x, t), y)
/** Tells whether all straight ways to the origin end at the value there. */
const isContinuous = (f: Plane): boolean =>
  grid(0, 2 * PI, 17).every((turn) => Math.abs(f(1e-6 * Math.cos(turn), 1e-6 * Math.sin(turn)) - f(0, 0)) < 1e-3)
const rootOf: Plane = (x, y) => Math.sqrt(Math.abs(x * y))
const quotient: Plane = (x, y) => (x === 0 && y === 0 ? 0 : (x * y) / (x * x + y * y))

/** Integrates over a turn. */
const around = (f: Real): number => {
  const steps = 72
  return ((2 * PI) / steps) * sum(range(steps).map((i) => f(((i + 0.5) * 2 * PI) / steps)))
}
const overDisc = (f: Plane, radius: number): number =>
  integral((r) => r * around((turn) => f(r * Math.cos(turn), r * Math.sin(turn))), 0, radius)

/** Integrates within the limits that an option writes; the outer ones must be 0 and 1. */
function swapped(text: string, f: Plane): number {
  const [outer, inner] = [...text.matchAll(/\\int_(\{[^}]*\}|.)\^?(\\sqrt .|\{[^}]*\}|.)/g)]
  const [from, to] = [inner?.[1] ?? '', inner?.[2] ?? '']
  const limits = (y: number): [number, number] => [valueOf(from, { y }), valueOf(to, { y })]
  if (outer?.[1] !== '0' || outer[2] !== '1') return NaN
  return integral((y) => integral((x) => f(x, y), ...limits(y)), 0, 1)
}

/** These find what math1.json asks of several variables. */
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
      ...grid(0, PI, 300).map((tilt) =>
        Math.max(
          ...grid(0, 2 * PI, 300).map((turn) => {
            const [a, b, c] = [Math.sin(tilt) * Math.cos(turn), Math.sin(tilt) * Math.sin(turn), Math.cos(tilt)]
            return slope((t) => u(1 + a * t, 1 + b * t, 1 + c * t), 0)
          }),
        ),
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
  // The field meets each piece of the sphere along its outward normal.
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
  // The way does not matter: this one is a parabola.
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
