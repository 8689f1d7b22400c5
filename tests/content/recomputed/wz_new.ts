const sum = (a: number[]): number => a.reduce((x, y) => x + y, 0)
const range = (a: number, b: number): number[] => Array.from({ length: b - a + 1 }, (_, i) => a + i)
const pct = (x: number): string => `${(x * 100).toFixed(1)}%`
const at = (xs: number[], i: number): number => xs[i] ?? NaN
// the one true text of several
const only = (xs: [boolean, string][]): string => {
  const p = xs.filter((x) => x[0]).map((x) => x[1])
  return p.length === 1 ? (p[0] ?? '') : `${p.length} true`
}
// index of the largest
const argmax = (xs: number[]): number => xs.indexOf(Math.max(...xs))
const perms = (xs: string[]): string[][] =>
  xs.length === 0 ? [[]] : xs.flatMap((x) => perms(xs.filter((y) => y !== x)).map((p) => [x, ...p]))
const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
const one = (n: number): string => (n < 10 ? String(n) : `{${n}}`)
// next term of a sequence whose differences become constant
const next = (xs: number[]): number => {
  if (xs.every((x) => x === xs[0])) return at(xs, 0)
  return at(xs, xs.length - 1) + next(xs.slice(1).map((x, i) => x - at(xs, i)))
}

// 0239: enrolled, present, passed, excellent
const names = ['驾驶', '通信', '维修', '卫勤']
const enrol = [250, 150, 180, 130]
const present = [200, 125, 160, 115]
const passed = [180, 100, 136, 104]
const top = [54, 35, 34, 27]
const passRate = passed.map((x, i) => x / at(present, i))
// 0240: the chart
const flow = [40, 50, 60, 66, 75]
const err = [5.0, 4.0, 3.0, 2.5, 2.0]
const faults = flow.map((x, i) => x * at(err, i))
const steps = flow.slice(1).map((x, i) => x - at(flow, i))
const growth = steps.map((x, i) => x / at(flow, i))
// 0241
const all = 1260
const rail = 756
const road = 504
const allBefore = all / 1.05
const railBefore = rail / 1.12
const roadBefore = road / 0.96

export const wz_new = {
  wzg_0114: () => `${(6 * 25000) / 100 / 1000}千米`,
  wzg_0129: () => {
    const forgone = [3000]
    const fee = 0
    return `${Math.max(...forgone) + fee}元`
  },
  wzg_0133: () => String('1101'.split('').reduce((v, b) => v * 2 + Number(b), 0)),
  wzg_0144: () => pct((100 * 0.9 - 80) / 80),
  wzg_0146: () => {
    // typical wavelengths in metres
    const band: Record<string, number> = { 无线电波: 1, 可见光: 5.5e-7, X射线: 1e-10 }
    return Object.keys(band)
      .sort((a, b) => (band[b] ?? 0) - (band[a] ?? 0))
      .join('、')
  },
  wzg_0153_2: () => `${Math.round(3e5 * 1000 * 2e-6)}米`,
  wzg_0197_1: () => `${Math.round((3e8 * 1e-3) / 2 / 1000)}千米`,
  wzg_0221: () => `${2 * range(0, 240).filter((m) => m % 12 === 0).length}盏`,
  wzg_0222: () =>
    `${range(0, 17)
      .filter((k) => 42 - k === 3 * (18 - k))
      .join()}年前`,
  wzg_0223: () => {
    const lead = 5 * 2
    const t = lead / (15 - 5)
    return `${15 * t}千米`
  },
  wzg_0224: () => {
    const team = ['m', 'm', 'm', 'f', 'f']
    const pairs = team.flatMap((x, i) => team.slice(i + 1).map((y) => x + y))
    const n = pairs.filter((p) => p.includes('f')).length
    const k = gcd(n, pairs.length)
    return `$\\dfrac${one(n / k)}${one(pairs.length / k)}$`
  },
  wzg_0225: () => {
    const costs = range(0, 10).flatMap((b) =>
      range(0, 10)
        .filter((s) => 8 * b + 5 * s >= 46)
        .map((s) => 500 * b + 350 * s),
    )
    return `${Math.min(...costs)}元`
  },
  wzg_0226: () => String(next([1, 4, 10, 20, 35].slice(0, 5))),
  wzg_0227: () => String(next([2, 6, 12, 20, 30])),
  wzg_0228: () => {
    const xs = [3, 10, 6, 9, 12, 8, 24]
    return String(next(xs.filter((_, i) => i % 2 === 1)))
  },
  wzg_0229: () => {
    const arrows = ['正上方', '右上方', '正右方', '右下方', '正下方', '左下方', '正左方', '左上方']
    const corners = ['左上角', '右上角', '右下角', '左下角']
    const cell = 4
    return `箭头指向${arrows[cell % arrows.length] ?? ''}，圆点在${corners[cell % corners.length] ?? ''}`
  },
  wzg_0230: () => {
    const lines = range(1, 5)
    return `${lines.flatMap((a) => lines.filter((b) => b > a)).length}个`
  },
  wzg_0235: () => {
    const worlds = [true, false]
      .flatMap((a) => [true, false].map((b) => ({ a, b, c: true })))
      .filter((w) => (!w.a || w.b) && !(w.b && w.c))
    return only([
      [worlds.every((w) => w.a && !w.b), '甲参加，乙不参加'],
      [worlds.every((w) => !w.a && w.b), '甲不参加，乙参加'],
      [worlds.every((w) => !w.a && !w.b), '甲、乙都不参加'],
      [worlds.some((w) => w.a) && worlds.some((w) => !w.a), '甲是否参加无法确定'],
    ])
  },
  wzg_0237: () =>
    ['甲', '乙', '丙', '丁']
      .filter((x) => [x === '丙', x !== '乙', x === '丁', x !== '丁'].filter(Boolean).length === 1)
      .join(),
  wzg_0238: () => {
    const ok = perms(['通信', '射击', '体能', '战术', '救护']).filter(
      (p) =>
        p[2] === '通信' &&
        p.indexOf('射击') === p.indexOf('体能') + 1 &&
        p.indexOf('战术') < p.indexOf('救护') &&
        p[0] !== '战术',
    )
    return [...new Set(ok.map((p) => p[3] ?? ''))].join()
  },
  wzg_0239_1: () => pct(sum(passed) / sum(present)),
  wzg_0239_2: () => names[argmax(passRate)] ?? '',
  wzg_0239_3: () => {
    const absent = enrol.map((x, i) => x - at(present, i))
    return pct(at(absent, 0) / sum(absent))
  },
  wzg_0239_4: () => {
    const share = top.map((x, i) => x / at(passed, i))
    return `${Number(((Math.max(...share) - Math.min(...share)) * 100).toFixed(6))}个百分点`
  },
  wzg_0239_5: () =>
    only([
      [(at(passed, 1) + 5) * 100 === 84 * at(present, 1), '若通信专业再有5人由不合格变为合格，其合格率将达到84%'],
      [passRate.every((x) => x > 0.8), '四个专业的合格率都在80%以上，且没有专业恰好等于80%'],
      [at(passed, 0) > 0.4 * sum(passed), '驾驶专业的合格人数超过四个专业合格总人数的百分之四十'],
      [at(top, 2) - at(top, 3) === 10, '维修专业的优秀人数比卫勤专业的优秀人数正好多出10人'],
    ]),
  wzg_0240_1: () => pct(at(flow, 4) / at(flow, 0) - 1),
  wzg_0240_2: () => `第${argmax(growth) + 2}年`,
  wzg_0240_3: () => `${at(faults, 3)}件`,
  wzg_0240_4: () => `${(sum(flow) / flow.length).toFixed(1)}万件`,
  wzg_0240_5: () =>
    only([
      [faults.slice(1).every((x, i) => x < at(faults, i)), '五年间差错件数逐年都有减少'],
      // errors per 10000 pieces, as percentage points
      [Math.abs(((at(err, 1) - at(err, 2)) / 10000) * 100 - 1) < 1e-9, '第3年差错率比第2年低1个百分点'],
      [steps.every((x) => x >= 8), '每年周转量的增长量都不少于8万件'],
      [at(faults, 0) === at(faults, 1), '第2年的差错件数与第1年相同'],
    ]),
  wzg_0241_1: () => `${Math.round(allBefore)}批次`,
  wzg_0241_2: () => `${Math.round(roadBefore - road)}批次`,
  wzg_0241_3: () => {
    const d = (rail / all - railBefore / allBefore) * 100
    return `${d > 0 ? '上升' : '下降'}了${Math.abs(d).toFixed(2)}个百分点`
  },
  wzg_0241_4: () => `${Math.round(37.8e4 / 1.08 / allBefore)}份`,
  wzg_0241_5: () => `${Math.round(all * (all / allBefore))}批次`,
} satisfies Record<string, () => string | string[]>
