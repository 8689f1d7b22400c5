import { range, sum } from './numbers.ts'

type Real = (x: number) => number

/** Tells whether two calculated numbers mean the same one. */
export const near = (a: number, b: number, within = 1e-6): boolean => Math.abs(a - b) <= within * (1 + Math.abs(b))

/** Integrates by the tanh-sinh rule, which bears functions that are infinite or steep at the ends. */
export function integral(f: Real, from: number, to: number): number {
  const [h, half] = [1 / 32, (to - from) / 2]
  return sum(
    range(257).map((i) => {
      const t = (i - 128) * h
      const u = (Math.PI / 2) * Math.sinh(t)
      const weight = ((Math.PI / 2) * Math.cosh(t)) / Math.cosh(u) ** 2
      // Subtraction would lose how far the point is from the nearer end.
      const inset = (half * 2) / (1 + Math.exp(2 * Math.abs(u)))
      const value = weight * h * half * f(t < 0 ? from + inset : to - inset)
      return Number.isFinite(value) ? value : 0
    }),
  )
}
/** Integrates from a number to infinity. */
export const toInfinity = (f: Real, from: number): number => integral((t) => f(from + t / (1 - t)) / (1 - t) ** 2, 0, 1)

/** Measures a slope from both sides. */
export const slope = (f: Real, x: number, h = 1e-4): number =>
  (8 * (f(x + h) - f(x - h)) - f(x + 2 * h) + f(x - 2 * h)) / (12 * h)
export const bend = (f: Real, x: number, h = 1e-3): number => (f(x + h) - 2 * f(x) + f(x - h)) / h ** 2

/** Finds where a function is zero, by halving. */
export function zero(f: Real, from: number, to: number): number {
  let [low, high] = [from, to]
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2
    if (f(low) * f(middle) <= 0) high = middle
    else low = middle
  }
  return (low + high) / 2
}
/** Counts how often a function changes its sign on a grid. */
export const changes = (f: Real, grid: readonly number[]): number =>
  grid.filter((x, i) => i > 0 && f(x) * f(grid[i - 1] ?? x) < 0).length

/** Spaces points evenly, both ends among them. */
export const grid = (from: number, to: number, steps: number): number[] =>
  range(steps + 1).map((i) => from + ((to - from) * i) / steps)

/** Follows y″=f(x, y, y′) from 0 by the rule of Runge and Kutta, and gives y at the end. */
export function course(f: (x: number, y: number, v: number) => number, [y, v]: [number, number], to: number): number {
  const [steps, h] = [2000, to / 2000]
  for (let i = 0; i < steps; i++) {
    const x = i * h
    const [a, b] = [v, f(x, y, v)]
    const [c, d] = [v + (h / 2) * b, f(x + h / 2, y + (h / 2) * a, v + (h / 2) * b)]
    const [e, g] = [v + (h / 2) * d, f(x + h / 2, y + (h / 2) * c, v + (h / 2) * d)]
    const [k, l] = [v + h * g, f(x + h, y + h * e, v + h * g)]
    y += (h / 6) * (a + 2 * c + 2 * e + k)
    v += (h / 6) * (b + 2 * d + 2 * g + l)
  }
  return y
}
