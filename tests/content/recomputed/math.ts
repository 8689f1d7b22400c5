const r = (x: number, d = 9): number => Number(x.toFixed(d))
const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b))
const sum = (a: number[]): number => a.reduce((x, y) => x + y, 0)
const range = (a: number, b: number): number[] => Array.from({ length: b - a + 1 }, (_, i) => a + i)
const rad = (d: number): number => (d * Math.PI) / 180
const one = (n: number): string => (n < 10 && n >= 0 ? String(n) : `{${n}}`)
// \dfrac in the short style \dfrac35 of the sheet
const short = (n: number, d: number): string => {
  const k = gcd(n, d) * Math.sign(d)
  const p = n / k
  const q = d / k
  return `${p < 0 ? '-' : ''}\\dfrac${one(Math.abs(p))}${one(q)}`
}
const quad = (a: number, b: number, c: number): [number, number] => {
  const s = Math.sqrt(b * b - 4 * a * c)
  return [(-b - s) / (2 * a), (-b + s) / (2 * a)]
}
const comb = (n: number, k: number): number => (k === 0 ? 1 : (comb(n - 1, k - 1) * n) / k)
// n/d from a decimal
const frac = (x: number): [number, number] => {
  for (let d = 1; d < 1000; d++) if (Math.abs(x * d - Math.round(x * d)) < 1e-9) return [Math.round(x * d), d]
  return [NaN, 1]
}
const deriv = (f: (x: number) => number, x: number): number => r((f(x + 1e-5) - f(x - 1e-5)) / 2e-5, 5)
const grid = range(1, 60).map((i) => i / 10)
const pick = (xs: [boolean, string][]): string[] => xs.filter((x) => x[0]).map((x) => x[1])
const only = (xs: [boolean, string][]): string => {
  const p = pick(xs)
  return p.length === 1 ? (p[0] ?? '') : `?${p.length}`
}
const sgn = (n: number, v: string): string => `${n < 0 ? '-' : '+'}${Math.abs(n) === 1 && v ? '' : Math.abs(n)}${v}`

export const math = {
  math_0001: () =>
    `$\\{${quad(1, -3, 2)
      .filter((x) => [1, 2, 3].includes(x))
      .join(',')}\\}$`,
  math_0002: () => `$\\{x\\mid x>${Math.min(-1, 2)}\\}$`,
  math_0003: () => `${2 ** ['a', 'b', 'c', 'd'].length} 个`,
  math_0004: () => {
    const xs = range(-100, 100).map((i) => i / 10)
    const suf = xs.every((x) => !(x > 2) || x * x > 4)
    const nec = xs.every((x) => !(x * x > 4) || x > 2)
    return suf ? (nec ? '充要条件' : '充分不必要条件') : nec ? '必要不充分条件' : '既不充分也不必要条件'
  },
  math_0006: () => `$(${quad(1, -1, -6).join(',')})$`,
  math_0007: () => String(2 * Math.sqrt(9)),
  math_0008: () => [String((-3 + 1) / 2), String((3 + 1) / 2)],
  math_0009: () => {
    const all = (f: (a: number, b: number) => boolean): boolean =>
      grid.every((a) => grid.every((b) => a <= b || f(a, b)))
    return pick([
      [all((a, b) => a * a > b * b), '$a^2>b^2$'],
      [all((a, b) => 1 / a > 1 / b), '$\\dfrac{1}{a}>\\dfrac{1}{b}$'],
      [all((a, b) => Math.sqrt(a) > Math.sqrt(b)), '$\\sqrt{a}>\\sqrt{b}$'],
      [all((a, b) => a - 1 / a > b - 1 / b), '$a-\\dfrac1a>b-\\dfrac1b$'],
    ])
  },
  math_0010: () => {
    const x = 4 / 2
    return `$${Math.min(...[0, x, 3].map((t) => t * t - 4 * t + 3))}$`
  },
  math_0011: () => `$[${-Math.sqrt(4)},${Math.sqrt(4)}]$`,
  math_0012: () => {
    const ok = (f: (x: number) => number): boolean =>
      grid.every((x, i) => Math.abs(f(-x) + f(x)) < 1e-9 && (i === 0 || f(x) > f(grid[i - 1] ?? 0)))
    return only([
      [ok((x) => x ** 2), '$y=x^2$'],
      [ok((x) => x ** 3), '$y=x^3$'],
      [ok((x) => 1 / x), '$y=\\dfrac{1}{x}$'],
      [ok((x) => 2 ** x), '$y=2^x$'],
    ])
  },
  math_0013: () => {
    const f = (x: number): number => (x <= 0 ? x + 1 : 2 ** x)
    return [String(f(f(-1)))]
  },
  math_0015: () => String(Math.log2(8) + Math.log10(100)),
  math_0016: () => String(r(4 ** Math.log2(3))),
  math_0017: () => {
    const v: [string, number][] = [
      ['a', Math.log2(3)],
      ['b', Math.log(2) / Math.log(3)],
      ['c', 2 ** -1],
    ]
    return `$${v
      .sort((x, y) => y[1] - x[1])
      .map((x) => x[0])
      .join('>')}$`
  },
  math_0018: () => [String(Math.log2(16) + 1)],
  math_0019: () => String(Math.abs(deriv((x) => x ** 3 - 3 * x, 1))),
  math_0020: () => {
    const k = deriv((x) => x * x, 1)
    return `$y=${k}x${sgn(1 - k, '')}$`
  },
  math_0022: () => `$${short(...frac(r(Math.sin(rad(150)))))}$`,
  math_0023: () => {
    const k = 2 / 2
    return `$${k === 1 ? '' : k}\\pi$`
  },
  math_0024: () => `$${short(...frac(-Math.sqrt(1 - 0.6 ** 2)))}$`,
  math_0025: () => [String(r(Math.sqrt(9 + 25 - 2 * 3 * 5 * Math.cos(rad(120)))))],
  math_0026: () =>
    range(0, 720).every((d) => Math.abs(Math.sin(rad(d)) ** 2 + Math.cos(rad(d)) ** 2 - 1) < 1e-9) ? '对' : '错',
  math_0027: () => String(1 * 3 + 2 * -1),
  math_0028: () => String((2 * 3) / 1),
  math_0029: () => [String(r(2 * 3 * Math.cos(rad(60))))],
  math_0030: () => String(2 + 9 * 3),
  math_0031: () => String(sum(range(0, 3).map((i) => Math.round(Math.cbrt(8)) ** i))),
  math_0032: () => [String(20 / 2), String((9 * 20) / 2)],
  math_0034: () => {
    const zero = [0, 0, 0, 0]
    return zero.every((x) => x !== 0) ? '对' : '错'
  },
  math_0035: () => {
    const geo = (f: (a: number[], i: number) => number): boolean =>
      [2, 0.5, 3].every((q) =>
        [1, 2, 5].every((a1) => {
          const a = range(0, 8).map((i) => a1 * q ** i)
          const b = range(0, 6).map((i) => f(a, i))
          const at = (i: number): number => b[i] ?? NaN
          return range(1, 5).every((i) => Math.abs(at(i) ** 2 / (at(i - 1) * at(i + 1)) - 1) < 1e-9)
        }),
      )
    const at = (a: number[], i: number): number => a[i] ?? NaN
    return pick([
      [geo((a, i) => at(a, i) ** 2), '$\\{a_n^2\\}$'],
      [geo((a, i) => 1 / at(a, i)), '$\\left\\{\\dfrac{1}{a_n}\\right\\}$'],
      [geo((a, i) => at(a, i) + 1), '$\\{a_n+1\\}$'],
      [geo((a, i) => at(a, i) * at(a, i + 1)), '$\\{a_na_{n+1}\\}$'],
    ])
  },
  math_0037: () => {
    const [D, E, F] = [-4, 6, 9]
    return `$(${-D / 2},${-E / 2})$，$${Math.sqrt(D * D + E * E - 4 * F) / 2}$`
  },
  math_0038: () => String(Math.abs(3 * 1 + 4 * 2 - 1) / Math.hypot(3, 4)),
  math_0039: () => `$${short(-3, 4)}$`,
  math_0040: () => `$${short(Math.sqrt(25 - 16), Math.sqrt(25))}$`,
  math_0041: () => [String(8 / 4), String(0)],
  math_0042: () => `$${r(4 * ((2 * Math.sqrt(3)) / 2) ** 2)}\\pi$`,
  math_0044: () => {
    const n = sum(range(1, 6).map((a) => range(1, 6).filter((b) => a + b === 7).length))
    return `$${short(n, 36)}$`
  },
  math_0045: () => {
    const a = [12, 15, 15, 16, 18, 20].sort((x, y) => x - y)
    return String(((a[2] ?? NaN) + (a[3] ?? NaN)) / 2)
  },
  math_0046: () => `${comb(5, 2) * comb(3, 1)} 种`,
  math_0047: () => [String(comb(4, 2) * 2 ** 2)],
  math_0048: () => String(r(1 - (1 - 0.8) * (1 - 0.7))),
  math_0058: () => {
    const m = (-3 * -4) / 4
    return [String(m), String(Math.hypot(m, -4))]
  },
  math_0059: () => [String(r(Math.sqrt(4 * 16 - 4 * 4 * 3 * Math.cos(rad(60)) + 9)))],
  math_0060: () => {
    const q = Math.round(Math.cbrt(162 / 6))
    return [String(q), String(sum(range(0, 4).map((i) => (6 / q) * q ** i)))]
  },
  math_0061: () => {
    const h = Math.sqrt(5 ** 2 - 3 ** 2)
    return [String(h), String((3 ** 2 * h) / 3)]
  },
  math_0062: () => [String(2 * Math.sqrt(16) - 5), String(2 * Math.sqrt(16) + 2 * Math.sqrt(16 - 12))],
  math_0063: () => [String(10 * 0.8), String(r(10 * 0.8 * (1 - 0.8)))],
  math_0064: () => {
    const t = 2 / (2 + 1)
    return `$${short(...frac(1 - t))}\\overrightarrow{AB}+${short(...frac(t))}\\overrightarrow{AC}$`
  },
  math_0065: () => {
    const s = ['r', 'r', 'r', 'b', 'b']
    let first = 0
    let both = 0
    s.forEach((x, i) =>
      s.forEach((y, j) => {
        if (i === j || x !== 'r') return
        first++
        if (y === 'r') both++
      }),
    )
    return `$${short(both, first)}$`
  },
  math_0066: () => {
    const S = range(1, 10).map((n) => n * 19 + ((n * (n - 1)) / 2) * -4)
    return String(S.indexOf(Math.max(...S)) + 1)
  },
  math_0067: () => String(range(1, 9).reduce((a, n) => a + 2 * n, 1)),
  math_0068: () => {
    const u = [1, 0, -1]
    const v = [1, 1, 0]
    const dot = sum(u.map((x, i) => x * (v[i] ?? NaN)))
    return `$${r((Math.acos(Math.abs(dot) / 2) * 180) / Math.PI, 6)}^\\circ$`
  },
  math_0069: () => {
    const R = r(Math.sqrt(3 + 1))
    return `$\\dfrac{${4 * R ** 3}\\pi}{3}$`
  },
  math_0070: () => `$y=${short(-1, 4 * 2)}$`,
  math_0071: () => `$\\sqrt${r(1 + 2 ** 2)}$`,
  math_0072: () => {
    const x = [5 - Math.sqrt(6), 5, 5 + Math.sqrt(6)]
    const stat = (a: number[]): [number, number, number, number] => {
      const m = sum(a) / a.length
      return [
        m,
        sum(a.map((t) => (t - m) ** 2)) / a.length,
        Math.max(...a) - Math.min(...a),
        [...a].sort((p, q) => p - q)[1] ?? NaN,
      ]
    }
    const [, , R, med] = stat(x)
    const [m2, v2, R2, med2] = stat(x.map((t) => 2 * t - 3))
    const eq = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9
    return pick([
      [eq(m2, 7), '平均数为 7'],
      [eq(R2, 2 * R - 3), '极差为 $2R-3$'],
      [eq(Math.sqrt(v2), 4), '标准差为 4'],
      [eq(med2, 2 * med - 3), '中位数为 $2m-3$'],
    ])
  },
  math_0073: () => {
    const p = (k: number): number => 9 - k
    const q = (k: number): number => k - 4
    const ks = range(41, 89).map((i) => i / 10)
    const e5 = Math.sqrt(1 - Math.min(p(5), q(5)) / Math.max(p(5), q(5)))
    const slope = Math.sqrt(q(13) / -p(13))
    const out = [...range(-50, 3), ...range(10, 60)]
    return pick([
      [ks.every((k) => p(k) > 0 && q(k) > 0 && Math.abs(p(k) - q(k)) > 1e-9), '若 $4<k<9$，则 $C$ 一定是椭圆'],
      [Math.abs(e5 - Math.sqrt(3) / 2) < 1e-9, '若 $k=5$，则 $C$ 的离心率为 $\\dfrac{\\sqrt3}{2}$'],
      [Math.abs(slope - 2 / 3) < 1e-9, '若 $k=13$，则 $C$ 的渐近线为 $y=\\pm\\dfrac23x$'],
      [out.every((k) => p(k) * q(k) < 0), '若 $k<4$ 或 $k>9$，则 $C$ 是双曲线'],
    ])
  },
} satisfies Record<string, () => string | string[]>
