import { at, only, orders, range, sum } from './numbers.ts'

const G = 10
const round = (x: number, digits = 6): number => Number(x.toFixed(digits))
const quantity = (x: number, unit: string): string => `$${round(x)}\\ \\mathrm${unit}$`
const tenPower = (x: number, power: number, unit: string): string =>
  `$${(x / 10 ** power).toFixed(1)}\\times10^${power < 0 ? `{${power}}` : power}\\ \\mathrm ${unit}$`
const close = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6
/** Finds where a function that changes its sign once in between is zero. */
function root(f: (x: number) => number, low: number, high: number): number {
  const middle = (low + high) / 2
  if (high - low < 1e-12) return middle
  return f(low) * f(middle) <= 0 ? root(f, low, middle) : root(f, middle, high)
}
const best = (xs: readonly number[], f: (x: number) => number): number => Math.max(...xs.map(f))
const among = (texts: [string, boolean][]): string[] => texts.filter(([, holds]) => holds).map(([text]) => text)

/** Returns the distance up a slope of 37 degrees, and the speed when back. */
function upAndBack(speed: number, friction: number): string[] {
  const up = G * (0.6 + friction * 0.8)
  const down = G * (0.6 - friction * 0.8)
  const way = speed ** 2 / 2 / up
  return [String(round(way)), String(round(Math.sqrt(2 * down * way)))]
}
/** Levels of hydrogen, of which each pair gives a photon. */
const LEVELS = [-13.6, -3.4, -1.51, -0.85]
const photons = range(4).flatMap((low) => range(4 - low - 1).map((i) => at(LEVELS, low + i + 1) - at(LEVELS, low)))

export const harderPhysics = {
  phy_0061: () => {
    const police = (t: number): number => (t < 10 ? (2.5 * t * t) / 2 : 125 + 25 * (t - 10))
    const t = root((x) => police(x) - 20 * (x + 2), 1, 100)
    return quantity(t, ' s')
  },
  phy_0062: () => {
    const together = 18 / (4 + 1)
    const slips = together > 0.2 * G
    return quantity(slips ? (18 - 0.2 * 1 * G) / 4 : together, '{m/s^2}')
  },
  phy_0063: () => upAndBack(4.8, 0.45),
  phy_0064: () => quantity((0.1 * 2 * G * (1.6 - 2 * 0.4)) / 0.4 - 0.1 * G, ' N'),
  phy_0065: () => {
    const [m, r] = [1 / 8, 1 / 2]
    return among([
      ['行星的平均密度是地球的 $\\dfrac12$', close(m / r ** 3, 1 / 2)],
      ['贴近行星表面运行的卫星，周期是近地卫星的 $\\dfrac12$', close(Math.sqrt(r ** 3 / m), 1 / 2)],
      ['行星表面的重力加速度是地球的 $\\dfrac12$', close(m / r ** 2, 1 / 2)],
      ['行星的第一宇宙速度是地球的 $\\dfrac12$', close(Math.sqrt(m / r), 1 / 2)],
    ])
  },
  phy_0066: () => {
    const pairs = [
      [2, 4],
      [4, 3],
      [-4, 7],
      [1, 4],
    ]
    const fits = ([a = 0, b = 0]: number[]): boolean => a + 2 * b === 10 && a * a + 2 * b * b <= 44 && a <= b
    return pairs
      .filter(fits)
      .map(([a, b]) => `$v_甲=${a}\\ \\mathrm{m/s}$，$v_乙=${b}\\ \\mathrm{m/s}$`)
      .join()
  },
  phy_0068: () => {
    const lengths = range(9).map((n) => 3 / (n + 1 / 4))
    const fitting = lengths.filter((x) => x > 2 && x < 3)
    return fitting.flatMap((x) => [String(round(x)), String(round(x * 5))])
  },
  phy_0069: () => [String(70 - (55 - 7)), String(round(Math.hypot((70 - 55) / 0.03, (55 - 7) / 0.04)))],
  phy_0070: () => {
    const tried = range(2001).map((i) => i / 100)
    return quantity(
      best(tried, (x) => (12 / (x + 6)) ** 2 * x),
      ' W',
    )
  },
  phy_0071: () => tenPower(2e6 / (0.5 * (0.1 / Math.sin(Math.PI / 6))), 7, '{C/kg}'),
  phy_0072: () => {
    const current = (0.5 * 0.2 * 4) / 0.4
    const time = 0.2 / 4
    return [String(round(current * time)), String(round(current ** 2 * 0.4 * time))]
  },
  phy_0073: () => {
    const left = 10_000 - (100_000 / 10_000) * 20
    return `$${left / 20}:${220 / 20}$`
  },
  phy_0075: () => {
    const pressure = 1e5 + (2 * G) / 1e-3
    const work = pressure * 1e-3 * 0.2 * (450 / 300 - 1)
    return [String(round(work)), String(round(30 - work))]
  },
  phy_0076: () => {
    const index = Math.sqrt(3)
    const way = 0.06 / Math.cos(Math.asin(Math.sin(Math.PI / 3) / index))
    return tenPower((way * index) / 3e8, -10, 's')
  },
  phy_0077: () => `${photons.filter((energy) => energy > 2.2).length} 种`,
  phy_0078_2: () => [String(1 / 0.5), String(0.4 / 0.5)],
} satisfies Record<string, () => string | string[]>

export const harderChemistry = {
  chem_0053: () => {
    const iron = 5 * 0.02 * 0.1
    return [String(round(iron)), ((iron * 278 * 100) / 3).toFixed(1)]
  },
  chem_0054: () => {
    const copper = 6.4 / 64
    // NO2 takes one electron, NO three.
    const no = (2 * copper - 0.12) / 2
    const no2 = 0.12 - no
    // Two of acid are used for a NO2 and four for a NO, by the two equations.
    return `${round(2 * no2 + 4 * no, 2)} mol`
  },
  chem_0056: () => {
    const each = 6 * 391 - 946 - 3 * 436
    return `${round(each * 0.5 * 0.2, 1)} kJ`
  },
  chem_0057: () => {
    const electrons = 2.16 / 108
    return [String(round((electrons / 2) * 64)), String(round(-Math.log10(electrons / 0.2)))]
  },
  chem_0058: () => {
    const [so3, so2, o2] = [1.6, 2 - 1.6, 1 - 0.8].map((n) => n / 2)
    return String(round((so3 ?? NaN) ** 2 / ((so2 ?? NaN) ** 2 * (o2 ?? NaN))))
  },
  chem_0059: () =>
    only(['2∶9', '9∶2', '1∶9', '1∶10'], (text) => {
      const [base = 0, acid = 0] = text.split('∶').map(Number)
      return close((0.1 * base - 0.01 * acid) / (base + acid), 0.01)
    }),
  chem_0060: () => {
    const [k, kw] = [1.8e-5, 1e-14]
    const charge = (h: number): number => 0.05 + h - (0.1 * k) / (k + h) - kw / h
    const h = root(charge, 1e-12, 1e-2)
    const ion = (0.1 * k) / (k + h)
    const acid = 0.1 - ion
    return among([
      ['$c(\\mathrm{CH_3COOH})>c(\\mathrm{CH_3COO^-})$', acid > ion],
      ['$c(\\mathrm{CH_3COO^-})>c(\\mathrm{Na^+})$', ion > 0.05],
      ['$c(\\mathrm{Na^+})+c(\\mathrm{H^+})=c(\\mathrm{CH_3COO^-})+c(\\mathrm{OH^-})$', close(0.05 + h, ion + kw / h)],
      ['$c(\\mathrm{CH_3COOH})+c(\\mathrm{CH_3COO^-})=2c(\\mathrm{Na^+})$', close(acid + ion, 2 * 0.05)],
    ])
  },
  chem_0061: () => {
    const precipitate = (base: number): number => (base <= 0.03 ? base / 3 : Math.max(0, 0.01 - (base - 0.03)))
    const volumes = range(61).filter((ml) => close(precipitate(ml / 1000), 0.39 / 78))
    return volumes.map(String)
  },
  chem_0062: () => {
    // 4 NO2 take one O2; of what is too much a third comes out as NO.
    const left = (no2: number): number => (no2 - 4 * (30 - no2)) / 3
    return `${range(31).find((no2) => close(left(no2), 5))} mL`
  },
  chem_0063: () => {
    const ALKYLS = [0, 1, 1, 2, 4]
    const ACYLS = [0, 1, 1, 1, 2]
    return `${sum(range(3).map((i) => at(ACYLS, i + 1) * at(ALKYLS, 3 - i)))} 种`
  },
} satisfies Record<string, () => string | string[]>

const wide = (n: number, step: number): number[] => range(2 * n + 1).map((i) => (i - n) * step)

export const harderMath = {
  math_0074: () => {
    const tried = range(9999).map((i) => (i + 1) / 20_000)
    return `$${round(-best(tried, (y) => -(1 / (1 - 2 * y) + 2 / y)), 3)}$`
  },
  math_0075: () => {
    const always = (m: number): boolean => wide(400, 0.05).every((x) => m * x * x + m * x + 1 > 1e-9)
    const fitting = wide(600, 0.01).filter(always)
    const [low, high] = [round(Math.min(...fitting), 1), round(Math.max(...fitting), 1)]
    return `$${always(low) ? '[' : '('}${low},${high}${always(high) ? ']' : ')'}$`
  },
  math_0076: () => {
    const f = (x: number): number => (x < 0 ? -f(-x) : x <= 1 ? x : -f(x - 2))
    return `$${f(7.5)}$`
  },
  math_0077: () => {
    const rises = (a: number): boolean => {
      const xs = range(400).map((i) => 1 - i * 0.02)
      const inner = xs.map((x) => x * x - 2 * a * x + 3)
      return inner.every((u, i) => u > 1e-9 && (i === 0 || u > at(inner, i - 1)))
    }
    const fitting = wide(500, 0.01).filter(rises)
    return `$[${round(Math.min(...fitting), 2)},${round(Math.max(...fitting), 1)}${rises(2) ? ']' : ')'}$`
  },
  math_0078: () => {
    const fits = (a: number): boolean => {
      const b = -3 - 2 * a
      const slope = (x: number): number => 3 * x * x + 2 * a * x + b
      return 1 + a + b + a * a === 10 && slope(0.99) * slope(1.01) < 0
    }
    return wide(20, 1)
      .filter(fits)
      .flatMap((a) => [String(a), String(-3 - 2 * a)])
  },
  math_0079: () => {
    const turns = (m: number): number => {
      const values = wide(300, 0.01).map((x) => x ** 3 - 3 * x + m)
      return values.filter((y, i) => i > 0 && y * at(values, i - 1) < 0).length
    }
    const fitting = wide(400, 0.01)
      .map((m) => m + 0.0013)
      .filter((m) => turns(m) === 3)
    return `$(${Math.round(Math.min(...fitting))},${Math.round(Math.max(...fitting))})$`
  },
  math_0080: () => {
    const alpha = Math.asin(1 / 3) - Math.PI / 6
    return `$\\dfrac${round(Math.cos(2 * alpha + Math.PI / 3) * 9)}9$`
  },
  math_0081: () => {
    const c = Math.acos(1 / 2)
    const product = (3 * Math.sqrt(3)) / Math.sin(c)
    return [String(round((c * 180) / Math.PI)), String(round(Math.sqrt(7 + 2 * product * (1 + Math.cos(c)))))]
  },
  math_0082: () => {
    const least = -best(wide(4000, 0.001), (t) => -Math.hypot(2 + t / 2, (t * Math.sqrt(3)) / 2))
    return `$\\sqrt${round(least ** 2, 4)}$`
  },
  math_0083: () => {
    const terms = range(6).map((i) => range(i).reduce((a) => 2 * a + 1, 1))
    return [String(terms.at(-1)), String(sum(terms))]
  },
  math_0085: () => {
    const fitting = wide(2000, 0.0025).filter((k) => Math.abs(3 * k + 1) <= Math.sqrt(k * k + 1) + 1e-9)
    return `$\\left[${round(Math.min(...fitting)) === -0.75 ? '-\\dfrac34' : '?'},${round(Math.max(...fitting)) + 0}\\right]$`
  },
  math_0086: () => `$\\sqrt${round((2 ** 2 + 4 ** 2) / 4)}$`,
  math_0087: () => {
    const radius = Math.sqrt(1 + 4 + 11) / 2
    return `$\\dfrac{${4 * radius ** 3}}{3}\\pi$`
  },
  math_0088: () => {
    const rows = orders('甲乙丙丁戊己'.split('')).filter(
      (row) => row[0] !== '甲' && row[5] !== '甲' && Math.abs(row.indexOf('乙') - row.indexOf('丙')) === 1,
    )
    return `${rows.length} 种`
  },
} satisfies Record<string, () => string | string[]>
