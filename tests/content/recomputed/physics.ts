const r = (x: number, d = 6): number => Number(x.toFixed(d))
const rad = (d: number): number => (d * Math.PI) / 180
const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
const G: number = 10
const u = (x: number, unit: string): string => `$${r(x)}\\ \\mathrm{${unit}}$`
const w = (x: number, unit: string): string => `$${r(x)}\\ \\mathrm ${unit}$`
const sci = (x: number, unit: string): string => {
  const e = Math.floor(Math.log10(x) + 1e-9)
  return `$${(x / 10 ** e).toFixed(1)}\\times10^${e}\\ ${unit}$`
}
const pick = (xs: [boolean, string][]): string[] => xs.filter((x) => x[0]).map((x) => x[1])
const only = (xs: [boolean, string][]): string => {
  const p = pick(xs)
  return p.length === 1 ? (p[0] ?? '') : `?${p.length}`
}
const eq = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a))
const tape = [3.6, 4.4, 5.2, 6.0].map((x) => x / 100)
const seg = (i: number): number => tape[i] ?? NaN
const tapeA = (T: number): number => (seg(3) + seg(2) - seg(1) - seg(0)) / (4 * T * T)

export const physics = {
  phy_0001: () => u((2 * 3 ** 2) / 2 - (2 * 2 ** 2) / 2, 'm'),
  phy_0002: () => u(((8 + (6 - 2)) * 4) / 2, 'm'),
  phy_0004: () => {
    const t = Math.sqrt((2 * 20) / G)
    return [String(t), String(G * t)]
  },
  phy_0005: () => {
    const v = (t: number): number => 20 - G * t
    return pick([
      [v(2) === 0 && G === 0, '小球在最高点的速度和加速度都为零'],
      [20 ** 2 / (2 * G) === 20, '小球上升的最大高度为 $20\\ \\mathrm m$'],
      [(2 * 20) / G === 4, '小球从抛出到落回地面用时 $4\\ \\mathrm s$'],
      [v(3) === 10, '抛出后 $3\\ \\mathrm s$ 末，小球的速度大小为 $10\\ \\mathrm{m/s}$，方向竖直向上'],
    ])
  },
  phy_0006: () => u([1, 5, 7, 8].find((F) => F < Math.abs(3 - 4) || F > 3 + 4) ?? NaN, 'N'),
  phy_0007: () => u(60 * (G + 2), 'N'),
  phy_0008: () => `大小为 ${w(2 * G * Math.sin(rad(30)), 'N')}，沿斜面向上`,
  phy_0010: () => {
    const f = 0.2 * 5 * G
    return [String(f), String((30 - f) / 5)]
  },
  phy_0011: () => u(20 * Math.sqrt((2 * 45) / G), 'm'),
  phy_0012: () => {
    const GM = 4e14
    const [lo, hi] = [7e6, 4e7]
    const v = (R: number): number => Math.sqrt(GM / R)
    return only([
      [v(hi) > v(lo), '线速度更大'],
      [v(hi) / hi > v(lo) / lo, '角速度更大'],
      [hi / v(hi) > lo / v(lo), '周期更大'],
      [GM / hi ** 2 > GM / lo ** 2, '向心加速度更大'],
    ])
  },
  phy_0013: () => sci(1000 * G - (1000 * 10 ** 2) / 50, '\\mathrm N'),
  phy_0015: () => u(2 * G * (5 - 3), 'J'),
  phy_0016: () => u(60e3 / 2000, 'm/s'),
  phy_0017: () => {
    const v = -(60 * 4) / 80
    return `大小为 ${u(Math.abs(v), 'm/s')}，与甲的速度方向相${v < 0 ? '反' : '同'}`
  },
  phy_0020: () => `${Math.sqrt(4)} 倍`,
  phy_0021: () => [String(340 / 170), String((340 * 3) / 2)],
  phy_0022: () => {
    const k = (2 * 2) / 2 ** 2
    return `$${k === 1 ? '' : k}F$`
  },
  phy_0024: () => {
    const Q = 1
    const C = (d: number): number => 1 / d
    const U = (d: number): number => Q / C(d)
    const Q2 = U(1.5) * C(1.5)
    return pick([
      [C(1.5) < C(1), '电容器的电容减小'],
      [U(1.5) > U(1), '两极板间的电压增大'],
      [Q2 < Q - 1e-9, '极板所带的电荷量减小'],
      [eq(U(1.5) / 1.5, U(1)), '两极板间的电场强度不变'],
    ])
  },
  phy_0025: () => u((6 / (5 + 1)) * 5, 'V'),
  phy_0026: () => {
    const k = gcd(6, 3)
    return `${3 / k}:${6 / k}`
  },
  phy_0027: () => [String((10 * 2) / (1 / 2))],
  phy_0028: () => {
    const R = (v: number): number => v
    const T = (v: number): number => R(v) / v
    const word = (k: number): string => (k === 1 ? '不变' : k === 0.5 ? '变为一半' : `变为 ${k} 倍`)
    return `半径${word(R(2) / R(1))}，周期${word(T(2) / T(1))}`
  },
  phy_0029: () => u((100 * (0.06 - 0.02)) / 0.2, 'V'),
  phy_0030: () => {
    // equal powers: U1 I1 = U2 I2, U1/U2 = n1/n2
    const [n1, n2, i2] = [10, 1, 2]
    const i1 = (n2 / n1) * i2
    return eq(i1 / i2, n1 / n2) ? '对' : '错'
  },
  phy_0031: () => {
    const Um = 220 * Math.SQRT2
    const T = (2 * Math.PI) / (100 * Math.PI)
    return pick([
      [eq(Um, 220), '电压的最大值为 $220\\ \\mathrm V$'],
      [eq(T, 0.02), '交流电的周期为 $0.02\\ \\mathrm s$'],
      [eq(2 / T, 50), '电流方向每秒改变 50 次'],
      [
        eq(r((Um / Math.SQRT2) ** 2 / 100), 484),
        '将它加在 $100\\ \\Omega$ 的纯电阻两端，电阻消耗的功率为 $484\\ \\mathrm W$',
      ],
    ])
  },
  phy_0035: () => [String(27 + 273), String(r((177 + 273) / (27 + 273)))],
  phy_0036: () => {
    const d = 100 - 40
    return `${d > 0 ? '增加' : '减少'} ${w(Math.abs(d), 'J')}`
  },
  phy_0037: () => {
    const n = Math.sin(rad(45)) / Math.sin(rad(30))
    return `$\\sqrt${r(n * n)}$`
  },
  phy_0038: () => sci(3e8 * Math.sin(rad(30)), '\\mathrm{m/s}'),
  phy_0040: () => {
    const gap = (lambda: number): number => (1 / 5e-4) * lambda
    return gap(400e-9) < gap(700e-9) ? '对' : '错'
  },
  phy_0042: () => {
    const a = (238 - 206) / 4
    return [String(a), String(82 - (92 - 2 * a))]
  },
  phy_0043: () => u(80 / 2 ** (15 / 5), 'g'),
  phy_0045: () => `$${(-0.85 - -3.4).toFixed(2)}\\ \\mathrm{eV}$`,
  phy_0046_2: () => [String((4 + 1) / 50)],
  phy_0046_3: () => [((seg(1) + seg(2)) / (2 * 0.1)).toFixed(2)],
  phy_0046_4: () => [tapeA(0.1).toFixed(2)],
  phy_0046_5: () => (tapeA(5 / 50) > tapeA(5 / 49) ? '对' : '错'),
  phy_0047: () => {
    const [R, RV, RA] = [5, 3000, 1]
    const ext = (R * RV) / (R + RV)
    const int = R + RA
    const useExt = Math.abs(ext - R) < Math.abs(int - R)
    return `${useExt ? '外接法' : '内接法'}，测量值偏${(useExt ? ext : int) > R ? '大' : '小'}`
  },
  phy_0048: () => [String(r(23 + 7 * 0.1))],
  phy_0053: () => {
    const t = 20 / 5
    const s = Math.min(6, t)
    return [String(t), String(20 * s - (5 * s * s) / 2)]
  },
  phy_0054: () => [String(r(4 ** 1.5)), String(r(4 ** -0.5))],
  phy_0055: () => {
    const R = (2.9 - 2.5) / (1.0 - 0.2)
    return [String(r(2.9 + 0.2 * R)), String(r(R))]
  },
  phy_0056: () => {
    const i2 = 220 / 10 / 11
    return [String(i2), String(i2 / 10)]
  },
  phy_0057: () => {
    const e = r(3.6 - 2.3)
    return [String(e), String(e)]
  },
  phy_0058: () => {
    const f = 20 / 4
    return only([
      [eq(f, 0.2), '波源振动的频率为 $0.2\\ \\mathrm{Hz}$'],
      [Number.isInteger(2 / 4), '平衡位置相距 $2\\ \\mathrm m$ 的两个质点，振动情况总是相同'],
      [eq(20 * 0.1, 2), '经过 $0.1\\ \\mathrm s$，波形沿传播方向移动 $2\\ \\mathrm m$'],
    ])
  },
  phy_0059: () => {
    const U = 4e-6 / -2e-8
    return `A、B 间的电势差 $U_{AB}=${r(U)}\\ \\mathrm V$，${U > 0 ? 'A' : 'B'} 点电势较高`
  },
} satisfies Record<string, () => string | string[]>
