const r = (x: number, d = 9): number => Number(x.toFixed(d))
const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b))
const lcm = (a: number, b: number): number => (a * b) / gcd(a, b)
const sum = (a: number[]): number => a.reduce((x, y) => x + y, 0)
const range = (a: number, b: number): number[] => Array.from({ length: b - a + 1 }, (_, i) => a + i)
const perms = <T>(a: T[]): T[][] =>
  a.length === 0 ? [[]] : a.flatMap((x, i) => perms([...a.slice(0, i), ...a.slice(i + 1)]).map((p) => [x, ...p]))
const subsets = <T>(a: T[]): T[][] => a.reduce<T[][]>((s, x) => [...s, ...s.map((y) => [...y, x])], [[]])
const bools = [true, false]
// the only text whose condition holds
const only = (xs: [boolean, string][]): string => {
  const p = xs.filter((x) => x[0]).map((x) => x[1])
  return p.length === 1 ? (p[0] ?? '') : `?${p.length}`
}
const unique = (xs: string[]): string => {
  const p = [...new Set(xs)]
  return p.length === 1 ? (p[0] ?? '') : `?${p.length}`
}
const tf = (x: boolean): string => (x ? '对' : '错')
const ratio = (p: number, q: number): string => `$\\dfrac${p / gcd(p, q)}${q / gcd(p, q)}$`
const first = (from: number, ok: (n: number) => boolean): number => {
  let n = from
  while (!ok(n)) n++
  return n
}

// worlds in which each person (or thing) has or lacks two or three properties: every non-empty set of kinds
const kinds2 = bools.flatMap((a) => bools.map((b) => ({ a, b })))
const kinds3 = bools.flatMap((a) => bools.flatMap((b) => bools.map((c) => ({ a, b, c }))))
const worlds2 = subsets(kinds2).filter((w) => w.length > 0)
const worlds3 = subsets(kinds3).filter((w) => w.length > 0)

// least number of weighings that surely finds one light piece among n, all placings tried
const weighMemo = new Map<number, number>()
const weigh = (n: number): number => {
  if (n <= 1) return 0
  const known = weighMemo.get(n)
  if (known !== undefined) return known
  let best = n
  for (let k = 1; 2 * k <= n; k++) best = Math.min(best, 1 + Math.max(weigh(k), weigh(n - 2 * k)))
  weighMemo.set(n, best)
  return best
}

// shortest crossing: states (who is on this side, where the torch is), relaxed until nothing changes
const crossing = (t: number[]): number => {
  const n = 1 << t.length
  const dist = Array.from({ length: 2 * n }, () => Infinity)
  dist[(n - 1) * 2] = 0
  for (let changed = true; changed;) {
    changed = false
    for (let s = 0; s < 2 * n; s++) {
      const here = s >> 1
      const far = s & 1
      const d = dist[s] ?? Infinity
      if (d === Infinity) continue
      for (let i = 0; i < t.length; i++) {
        for (let j = i; j < t.length; j++) {
          const m = (1 << i) | (1 << j)
          const side = far ? n - 1 - here : here
          if ((side & m) !== m) continue
          const to = (here ^ m) * 2 + (1 - far)
          const nd = d + Math.max(t[i] ?? 0, t[j] ?? 0)
          if (nd < (dist[to] ?? Infinity)) {
            dist[to] = nd
            changed = true
          }
        }
      }
    }
  }
  return dist[1] ?? Infinity
}

type Row = { name: string; a: number; b: number; c: number; d: number }
const companies: Row[] = [
  { name: '一连', a: 28, b: 47, c: 20, d: 5 },
  { name: '二连', a: 39, b: 45, c: 24, d: 12 },
  { name: '三连', a: 24, b: 32, c: 20, d: 4 },
]
const all = (x: Row): number => x.a + x.b + x.c + x.d
const total = sum(companies.map(all))
const failed = sum(companies.map((x) => x.d))

const runScore = (seconds: number): number => 100 - 5 * Math.max(0, Math.ceil((seconds - 20 * 60) / 60))
const pullScore = (n: number): number => Math.min(100, 5 * n)
const score = (run: number, pull: number, theory: number): number => r(run * 0.5 + pull * 0.3 + theory * 0.2)
const grade = (run: number, pull: number, theory: number): string => {
  const s = score(run, pull, theory)
  const low = Math.min(run, pull, theory)
  return s >= 90 && low >= 80 ? '优秀' : s >= 80 && low >= 60 ? '良好' : s >= 60 ? '合格' : '不合格'
}
const big = { n: 6, load: 10, fuel: 30, v: 40 }
const small = { n: 8, load: 4, fuel: 15, v: 60 }
const road = 80

export const tg = {
  tg_0104: () => `${r((1 - 1 / (1 + 0.25)) * 100)}%`,
  tg_0111: () => {
    // all equally likely six-throw sequences that begin with five heads
    const seqs = Array.from({ length: 2 ** 6 }, (_, i) => i.toString(2).padStart(6, '0')).filter((s) =>
      s.startsWith('11111'),
    )
    return tf(seqs.filter((s) => s.endsWith('0')).length / seqs.length > 1 / 2)
  },
  tg_0112: () => [String((1000 / 1000) * (30 / 60))],
  tg_0113: () => {
    const mass = 60
    return [String(mass), String(r((mass * 10) / 6))]
  },
  tg_0114: () => String('1011'.split('').reduce((s, c) => s * 2 + Number(c), 0)),
  tg_0120: () => `${((1920 * 1080 * 24) / 8 / 10 ** 6).toFixed(1)} MB`,
  tg_0125: () => {
    const bits = Math.log2(0xff + 1)
    return [String(bits), String(sum(range(0, bits - 1).map((k) => 2 ** k)))]
  },
  tg_0127: () => `${(Math.sqrt(9.8 * 6.371e6) / 1000).toFixed(1)} 千米/秒`,
  tg_0141: () => {
    const pair: Record<string, string> = { A: 'T', T: 'A', G: 'C', C: 'G' }
    return 'ATGC'
      .split('')
      .map((x) => pair[x] ?? '?')
      .join('')
  },
  tg_0201: () => `${first(1, (t) => 5 * t - 3 * t >= 400)}秒`,
  tg_0202: () => `${r(2 / (1 / 6 + 1 / 4)).toFixed(1)}千米/时`,
  tg_0203: () => `${r(1 / (1 / 6 - 1 / 9))}小时`,
  tg_0204: () => `${perms('甲乙丙丁'.split('')).filter((p) => p[0] !== '甲').length}种`,
  tg_0205: () => `${(108 / (3 + 4 + 5)) * (5 - 3)}人`,
  tg_0206: () => `${r(((200 * 0.3 + 100 * 0.6) / (200 + 100)) * 100)}%`,
  tg_0207: () => `${lcm(lcm(4, 6), 10)}天`,
  tg_0208: () => `${r((30 * 82 + 20 * 87) / (30 + 20))}分`,
  tg_0209: () => `${(400 * 108) / 360}件`,
  tg_0210: () => {
    const men: [string, number, number][] = [
      ['甲', 9.2, 0.6],
      ['乙', 9.5, 0.6],
      ['丙', 9.5, 1.3],
      ['丁', 9.0, 0.4],
    ]
    return men.sort((x, y) => y[1] - x[1] || x[2] - y[2])[0]?.[0] ?? '?'
  },
  tg_0211: () =>
    unique(
      range(0, 20)
        .filter((x) => 8 * x + 5 * (20 - x) === 127)
        .map((x) => `${x}顶`),
    ),
  tg_0212: () => `${r(((1 + 0.1) * (1 + 0.2) - 1) * 100)}%`,
  tg_0213: () => {
    // a: approved, b: may enter; which sentence holds in just the same worlds
    const stem = (w: typeof kinds2): boolean => w.every((x) => !x.b || x.a)
    const same = (f: (w: typeof kinds2) => boolean): boolean => worlds2.every((w) => f(w) === stem(w))
    return only([
      [same((w) => w.every((x) => !x.a || x.b)), '获得批准的人员，都能够进入库区'],
      [same((w) => w.every((x) => !x.b || x.a)), '能进入库区的人员，都是获得批准的人员'],
      [same((w) => w.every((x) => x.b || !x.a)), '不能进入库区的人员，都没有获得批准'],
      [same((w) => w.some((x) => !x.a && x.b)), '有的没有获得批准的人员，也能进入库区'],
    ])
  },
  tg_0214: () => {
    // up to five students, each passed or not
    const cases = range(1, 5)
      .flatMap((n) => range(0, n).map((ok) => ({ n, ok })))
      .filter((x) => !(x.ok === x.n))
    return only([
      [cases.every((x) => x.ok < x.n), '有的学员没有通过考核'],
      [cases.every((x) => x.ok === 0), '所有学员都没有通过考核'],
      [cases.every((x) => x.ok > 0), '有的学员通过了考核'],
      [cases.every((x) => x.n - x.ok === 1), '只有一名学员没有通过考核'],
    ])
  },
  tg_0215: () => {
    const same = (f: (a: boolean, b: boolean) => boolean): boolean => kinds2.every((x) => f(x.a, x.b) === !(x.a && x.b))
    return only([
      [same((a, b) => !a && !b), '甲、乙两人都没有按时到达集结地'],
      [same((a, b) => a !== b), '甲、乙两人中恰好有一人按时到达'],
      [same((a, b) => a && !b), '甲按时到达集结地而乙没有按时到达'],
      [same((a, b) => !a || !b), '甲、乙两人中至少有一人没有按时到达'],
    ])
  },
  tg_0216: () => {
    // a: red label, b: locked; a box must be looked at when its unseen side can decide whether the rule is broken
    const seen: [string, (x: { a: boolean; b: boolean }) => boolean][] = [
      ['第一只', (x) => x.a],
      ['第二只', (x) => !x.a],
      ['第三只', (x) => x.b],
      ['第四只', (x) => !x.b],
    ]
    const bad = (x: { a: boolean; b: boolean }): boolean => x.a && !x.b
    return seen
      .filter(([, f]) => new Set(kinds2.filter(f).map(bad)).size > 1)
      .map((x) => x[0])
      .join('和')
  },
  tg_0219: () => {
    // a: sniper, b: passed, c: new
    const ws = worlds3.filter((w) => w.every((x) => !x.a || x.b) && w.some((x) => x.c && !x.b))
    return only([
      [ws.every((w) => w.some((x) => x.c && x.a)), '有的新队员是狙击手'],
      [ws.every((w) => w.some((x) => x.a && !x.c)), '有的狙击手不是新队员'],
      [ws.every((w) => w.every((x) => !x.c || !x.a)), '所有新队员都不是狙击手'],
      [ws.every((w) => w.some((x) => x.c && !x.a)), '有的新队员不是狙击手'],
    ])
  },
  tg_0220: () =>
    unique(
      perms('甲乙丙丁戊'.split(''))
        .filter((p) => {
          const at = (x: string): number => p.indexOf(x)
          return (
            at('丙') === 2 &&
            at('丁') !== 0 &&
            at('丁') !== 4 &&
            at('甲') < at('戊') &&
            Math.abs(at('乙') - at('丁')) !== 1 &&
            Math.abs(at('戊') - at('丙')) === 1
          )
        })
        .map((p) => p[4] ?? '?'),
    ),
  tg_0221: () =>
    ['甲', '乙', '丙']
      .filter((x) => [x === '甲', x !== '乙', x !== '甲'].filter(Boolean).length === 1)
      .map((x) => `${x}箱`)
      .join('或'),
  tg_0223: () => `${weigh(8)}次`,
  tg_0224: () => `${crossing([1, 2, 6, 9])}分钟`,
  tg_0228_1: () => `${((sum(companies.map((x) => x.a + x.b + x.c)) / total) * 100).toFixed(1)}%`,
  tg_0228_2: () => {
    const best = [...companies].sort((x, y) => y.a / all(y) - x.a / all(x))[0]
    return best ? `${best.name}，${((best.a / all(best)) * 100).toFixed(1)}%` : '?'
  },
  tg_0228_3: () => ratio(companies[1]?.d ?? 0, failed),
  tg_0228_4: () => `${(((total - failed + 6) / total) * 100).toFixed(1)}%`,
  tg_0229_1: () => `${runScore(22 * 60 + 20)}分`,
  tg_0229_2: () => `${score(runScore(22 * 60 + 20), pullScore(18), 95).toFixed(1)}分`,
  tg_0229_3: () => grade(100, pullScore(15), 100),
  tg_0229_4: () => `${first(0, (n) => n > 100 || grade(90, pullScore(n), 85) === '优秀')}个`,
  tg_0230_1: () => `${big.n * big.load + small.n * small.load}吨`,
  tg_0230_2: () => `${r((2 * road * big.fuel) / 100)}升`,
  tg_0230_3: () => {
    const per = (c: typeof big): number => (road * c.fuel) / 100 / c.load
    const d = r(per(small) - per(big))
    return `${d > 0 ? '大车' : '小车'}少${Math.abs(d)}升`
  },
  tg_0230_4: () => `${r(small.v * ((big.v * 30) / 60 / (small.v - big.v)))}千米`,
  tg_0307: () => `${Math.max(20 + 15, 25) + 10}分钟`,
  tg_0329: () => {
    const due = 36
    const sat = due - 6
    const ok = 27
    return `应考${due}人，实考${sat}人，合格${ok}人，实考合格率${r((ok / sat) * 100)}%`
  },
} satisfies Record<string, () => string | string[]>
