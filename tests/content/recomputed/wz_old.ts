type Row = { name: string; in1: number; in2: number; out2: number }
const rows: Row[] = [
  { name: '甲仓库', in1: 400, in2: 500, out2: 450 },
  { name: '乙仓库', in1: 250, in2: 300, out2: 280 },
  { name: '丙仓库', in1: 320, in2: 288, out2: 300 },
  { name: '丁仓库', in1: 230, in2: 262, out2: 220 },
]
const sum = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0)
const row = (name: string): Row => {
  const r = rows.find((x) => x.name === name)
  if (!r) throw new Error(name)
  return r
}
const best = <T>(xs: readonly T[], f: (x: T) => number): T => xs.reduce((a, b) => (f(b) > f(a) ? b : a))
const in1 = sum(rows.map((r) => r.in1))
const in2 = sum(rows.map((r) => r.in2))
const out2 = sum(rows.map((r) => r.out2))
/** The texts whose statement holds. */
const holding = (xs: ReadonlyArray<readonly [string, boolean]>): string[] => xs.filter((x) => x[1]).map((x) => x[0])
/** The one text whose statement holds; throws when it is not exactly one. */
const only = (xs: ReadonlyArray<readonly [string, boolean]>): string => {
  const [first, ...rest] = holding(xs)
  if (first === undefined || rest.length > 0) throw new Error('not exactly one')
  return first
}
const bools = [false, true]
const combos = <T>(xs: readonly T[], k: number): T[][] => {
  if (k === 0) return [[]]
  return xs.flatMap((x, i) => combos(xs.slice(i + 1), k - 1).map((c) => [x, ...c]))
}
const perms = <T>(xs: readonly T[]): T[][] =>
  xs.length === 0 ? [[]] : xs.flatMap((x, i) => perms([...xs.slice(0, i), ...xs.slice(i + 1)]).map((p) => [x, ...p]))
const change = (ratio: number): string => {
  const p = Math.round((ratio - 1) * 1e6) / 1e4
  return p === 0 ? '没有变化' : p < 0 ? `下降了${-p}%` : `上升了${p}%`
}
const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9
const at = (xs: readonly number[], i: number): number => {
  const v = xs[i]
  if (v === undefined) throw new Error(`index ${i}`)
  return v
}
/** Worlds of two individuals, each (woman soldier, trainee, passed), that satisfy both premises of 0029. */
const worlds0029 = (() => {
  const people = bools.flatMap((w) => bools.flatMap((t) => bools.map((p) => ({ w, t, p }))))
  return people
    .flatMap((a) => people.flatMap((b) => people.map((c) => [a, b, c])))
    .filter((x) => x.every((i) => !i.t || i.p) && x.some((i) => i.w && i.t))
})()

export const wz_old = {
  wzg_0010: () => {
    for (let d = 0; d <= 12; d++) if (d * (18 + 12) + 3 * 12 === 12 * 18) return `${d}天`
    throw new Error('none')
  },
  wzg_0011: () => `${(36 / (5 + 4)) * 15}千米`,
  wzg_0012: () => change((1 - 10 / 100) * (1 + 10 / 100)),
  wzg_0013: () =>
    `${combos(['甲', '乙', 'c', 'd', 'e', 'f'], 4).filter((c) => c.includes('甲') || c.includes('乙')).length}种`,
  wzg_0014: () => `${32 + 27 - (50 - 6)}人`,
  wzg_0015: () => {
    let worst = 0
    for (let r = 0; r <= 5; r++)
      for (let y = 0; y <= 6; y++)
        for (let b = 0; b <= 7; b++) if (Math.max(r, y, b) < 4) worst = Math.max(worst, r + y + b)
    return `${worst + 1}个`
  },
  wzg_0016: () => (near((300 * 0.2) / (300 + 100), 0.15) ? '对' : '错'),
  wzg_0017: () => [8, 18, 23, 38].filter((n) => n % 3 === 2 && n % 5 === 3).map(String),
  wzg_0018: () => {
    const half = 24 / 2
    const area = (a: number): number => a * (half - a)
    const grid = Array.from({ length: 1199 }, (_, i) => (i + 1) / 100)
    const top = Math.max(...grid.map(area))
    const sorted = [...grid].sort((a, b) => Math.abs(half - 2 * b) - Math.abs(half - 2 * a))
    const rising = sorted.every((a, i) => i === 0 || area(a) >= area(at(sorted, i - 1)) - 1e-9)
    return holding([
      ['长为8米时，面积是32平方米', area(8) === 32],
      ['长和宽可以是9米和4米', 9 + 4 === half],
      ['面积的最大值是36平方米', near(top, 36)],
      ['长和宽越接近，面积越大', rising],
    ])
  },
  wzg_0019: () => {
    const s = [2, 5, 11, 23, 47]
    if (!s.every((v, i) => i === 0 || v === at(s, i - 1) * 2 + 1)) throw new Error('rule')
    return String(at(s, 4) * 2 + 1)
  },
  wzg_0020: () => {
    const s = [3, 4, 7, 11, 18]
    if (!s.every((v, i) => i < 2 || v === at(s, i - 1) + at(s, i - 2))) throw new Error('rule')
    return String(at(s, 4) + at(s, 3))
  },
  wzg_0021: () => {
    const n = [1, 3, 5, 7]
    const d = [2, 4, 8, 16]
    const step = at(n, 1) - at(n, 0)
    const q = at(d, 1) / at(d, 0)
    if (
      !n.every((v, i) => i === 0 || v - at(n, i - 1) === step) ||
      !d.every((v, i) => i === 0 || v / at(d, i - 1) === q)
    )
      throw new Error('rule')
    return `$\\dfrac${at(n, 3) + step}{${at(d, 3) * q}}$`
  },
  wzg_0022: () => {
    const sides = [3, 4, 5, 6]
    const dots = [1, 2, 3, 4]
    const names: Record<number, string> = { 6: '六边形', 7: '七边形', 8: '八边形' }
    const next = (s: number[]): number => 2 * at(s, 3) - at(s, 2)
    return `${names[next(sides)] ?? '?'}，内有${next(dots)}个点`
  },
  wzg_0027: () => {
    const rain = bools.filter((r) => bools.some((indoor) => (!r || indoor) && !indoor))
    if (rain.length !== 1) return '无法判断今天是否下雨'
    return rain[0] === true ? '今天下雨了' : '今天没有下雨'
  },
  wzg_0028: () => {
    const who = ['甲', '乙', '丙'].filter((x) => [x === '乙', x !== '乙', x !== '丙'].filter(Boolean).length === 1)
    return who.length === 1 ? (who[0] ?? '?') : '无法确定'
  },
  wzg_0029: () =>
    holding([
      ['有的女兵通过了体检', worlds0029.every((x) => x.some((i) => i.w && i.p))],
      ['所有通过体检的人都是参训人员', worlds0029.every((x) => x.every((i) => !i.p || i.t))],
      ['有的通过体检的人是女兵', worlds0029.every((x) => x.some((i) => i.p && i.w))],
      ['没有女兵未通过体检', worlds0029.every((x) => !x.some((i) => i.w && !i.p))],
    ]),
  wzg_0031: () => {
    // may register -> is 18; from "is 18" does "may register" follow in every possible case?
    const cases = bools
      .flatMap((adult) => bools.map((may) => ({ adult, may })))
      .filter((c) => (!c.may || c.adult) && c.adult)
    return cases.every((c) => c.may) ? '对' : '错'
  },
  wzg_0032: () => {
    const ok = perms(['甲', '乙', '丙', '丁']).filter(
      (p) =>
        p.indexOf('甲') < p.indexOf('乙') && p.indexOf('丙') > p.indexOf('乙') && p.indexOf('丁') < p.indexOf('甲'),
    )
    const second = new Set(ok.map((p) => p[1]))
    if (second.size !== 1) throw new Error('not unique')
    return [...second][0] ?? '?'
  },
  wzg_0033_1: () => `${((in2 / in1 - 1) * 100).toFixed(1)}%`,
  wzg_0033_2: () => best(rows, (r) => r.in2 / r.in1).name,
  wzg_0033_3: () => {
    const d = (row('丙仓库').in2 / in2 - row('丙仓库').in1 / in1) * 100
    return `${d < 0 ? '下降' : '上升'}了${Math.abs(d).toFixed(1)}个百分点`
  },
  wzg_0033_4: () => best(rows, (r) => r.out2 / r.in2).name,
  wzg_0033_5: () =>
    only([
      ['第二年四个仓库的库存量都有所增加', rows.every((r) => r.in2 > r.out2)],
      ['第二年四个仓库的库存合计净增100吨', in2 - out2 === 100],
      ['第二年丁仓库的入库量比第一年多42吨', row('丁仓库').in2 - row('丁仓库').in1 === 42],
      ['第一年甲仓库的入库量超过四库入库总量的三分之一', row('甲仓库').in1 * 3 > in1],
    ]),
  wzg_0034: () => `${Math.round(((92 - 80) / 80) * 1000) / 10}%`,
  wzg_0035: () => `${Math.round(360 / 1.2)}件`,
  wzg_0036: () => `${Math.round((Math.sqrt(121 / 100) - 1) * 1000) / 10}%`,
  wzg_0038: () => {
    const s = [82, 85, 85, 88, 90]
    const count = (v: number): number => s.filter((x) => x === v).length
    const top = Math.max(...s.map(count))
    const modes = Array.from(new Set(s.filter((v) => count(v) === top)))
    return holding([
      ['平均数是85', sum(s) / s.length === 85],
      [
        '中位数是85',
        at(
          [...s].sort((a, b) => a - b),
          2,
        ) === 85,
      ],
      ['众数是85', modes.length === 1 && modes[0] === 85],
      ['极差是8', Math.max(...s) - Math.min(...s) === 8],
    ])
  },
} satisfies Record<string, () => string | string[]>
