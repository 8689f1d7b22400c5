import { at, mean, only, range, sum, upTo } from './numbers.ts'

/** Rows are 甲, 乙, 丙; columns are a demand that is great, middling and small. */
const PAYOFFS = [
  [50, 25, -10],
  [38, 30, 12],
  [20, 18, 15],
]
const NAMES = ['甲', '乙', '丙']
const REGRETS = PAYOFFS.map((row) =>
  Math.max(...row.map((x, i) => Math.max(...PAYOFFS.map((other) => at(other, i))) - x)),
)
const GOOD = 0.7
const BAD = 0.3
/** The plant built small earns this over the last seven years, once it is sold well. */
const EXPANDED = 95 * 7 - 200
const KEPT = 40 * 7

/** The name and the value of the best. */
function best(values: Record<string, number>): [string, number] {
  const [first] = Object.entries(values).sort(([, a], [, b]) => b - a)
  return first ?? ['', NaN]
}
const bestOf = (values: readonly number[]): [string, number] =>
  best(Object.fromEntries(values.map((value, i) => [NAMES[i] ?? '', value])))

const DAYS: Record<string, number> = { A: 3, B: 4, C: 5, D: 2, E: 6, F: 4 }
const BEFORE: Record<string, string> = { A: '', B: '', C: 'A', D: 'A', E: 'BD', F: 'CE' }
/** All ways through the network that end with a task. */
const waysTo = (task: string): string[] =>
  BEFORE[task] ? BEFORE[task].split('').flatMap((each) => waysTo(each).map((way) => way + task)) : [task]
const WAYS = waysTo('F')
const lengthOf = (way: string, cut = ''): number =>
  sum(way.split('').map((task) => (DAYS[task] ?? NaN) - (cut.includes(task) ? 1 : 0)))
const duration = (cut = ''): number => Math.max(...WAYS.map((way) => lengthOf(way, cut)))
const COSTS: Record<string, number> = { A: 500, B: 450, D: 300, E: 400, F: 600 }
const costOf = (cut: string): number => sum(cut.split('').map((task) => COSTS[task] ?? 0))
const CUTS = range(32).map((mask) =>
  'ABDEF'
    .split('')
    .filter((_, i) => mask & (1 << i))
    .join(''),
)

const estimate = (low: number, likely: number, high: number): number => (low + 4 * likely + high) / 6
const TASKS: [number, number, number][] = [
  [4, 6, 14],
  [3, 5, 7],
  [2, 5, 8],
]
/** Managers above the workers when each leads `span` people. */
const managers = (workers: number, span: number): number =>
  workers === 1 ? 0 : workers / span + managers(workers / span, span)
const relations = (n: number): number => n * (2 ** (n - 1) + n - 1)

/** These are the calculations of management.json, from the figures asked. */
export const management = {
  mgt_0023: () => `${(480_000 + 180_000) / (160 - 100)}件`,
  mgt_0024: () => {
    const even = 80_000 / (50 - 30)
    return [String(even), upTo(((5000 - even) / 5000) * 100, 2)]
  },
  mgt_0025: () => {
    const [name, value] = best({
      新建: 0.7 * 100 - 0.3 * 40,
      扩建: 0.7 * 70 - 0.3 * 10,
      维持: 0.7 * 30 + 0.3 * 20,
    })
    return `${name}，${upTo(value, 2)}万元`
  },
  mgt_0026: () => {
    const informed = 0.6 * Math.max(150, 40) + 0.4 * Math.max(-60, 30)
    return `${upTo(informed - Math.max(0.6 * 150 - 0.4 * 60, 0.6 * 40 + 0.4 * 30), 2)}万元`
  },
  mgt_0027: () => {
    const second = range(20_000).filter((n) => 320_000 + 30 * n < 200_000 + 50 * n)
    return `大于${Math.min(...second) - 1}件`
  },
  mgt_0028: () => {
    const even = (fixed: number, variable: number): number => fixed / (200 - variable)
    const profit = (fixed: number, variable: number): number => (200 - variable) * 10_000 - fixed
    const moved = even(750_000, 100) - even(600_000, 120)
    const gain = (profit(750_000, 100) - profit(600_000, 120)) / 10_000
    return `平衡点${moved === 0 ? '不变' : '变动'}，利润${gain > 0 ? '增加' : '减少'}${Math.abs(gain)}万元`
  },
  mgt_0029: () => {
    const plans = range(5).flatMap((x) => range(7).map((y): [number, number] => [x, y]))
    return `${Math.max(...plans.filter(([x, y]) => 3 * x + 2 * y <= 18).map(([x, y]) => 300 * x + 500 * y))}元`
  },
  mgt_0030_1: () => {
    const [name, value] = bestOf(PAYOFFS.map((row) => Math.min(...row)))
    return `${name}，${value}万元`
  },
  mgt_0030_2: () => {
    const [name, value] = bestOf(REGRETS.map((regret) => -regret))
    return `${name}，最大后悔值${-value}万元`
  },
  mgt_0030_3: () => {
    const [name, value] = bestOf(PAYOFFS.map((row) => 0.7 * Math.max(...row) + 0.3 * Math.min(...row)))
    return `${name}，${upTo(value, 2)}万元`
  },
  mgt_0030_4: () => bestOf(PAYOFFS.map(mean))[0],
  mgt_0031_1: () => `${upTo((GOOD * 100 - BAD * 20) * 10 - 300, 2)}万元`,
  mgt_0031_2: () => `${EXPANDED - KEPT}万元`,
  mgt_0031_3: () => {
    const [name, value] = best({
      建大厂: (GOOD * 100 - BAD * 20) * 10 - 300,
      建小厂: (GOOD * 40 + BAD * 30) * 10 - 140,
      先小后扩: GOOD * (40 * 3 + Math.max(EXPANDED, KEPT)) + BAD * 30 * 10 - 140,
    })
    return `${name}，${upTo(value, 2)}万元`
  },
  mgt_0033: () => `${120 / 30}年、${90 / 20}年`,
  mgt_0038: () => {
    const [growth, share] = [15, 0.4]
    if (growth > 10) return share > 1 ? '明星业务' : '问题业务'
    return share > 1 ? '现金牛业务' : '瘦狗业务'
  },
  mgt_0039: () => `${estimate(3, 5, 13)}天`,
  mgt_0040: () => {
    const days = sum(TASKS.map((task) => estimate(...task)))
    return `${days}天，${upTo(sum(TASKS.map(([low, , high]) => ((high - low) / 6) ** 2)), 2)}`
  },
  mgt_0041_1: () => {
    const longest = only(WAYS, (way) => lengthOf(way) === duration())
    return `${longest.split('').join('→')}，${duration()}天`
  },
  mgt_0041_2: () =>
    `${duration() - Math.max(...WAYS.filter((way) => way.includes('C')).map((way) => lengthOf(way)))}天`,
  mgt_0041_3: () => `${duration('D')}天`,
  mgt_0041_4: () => `${Math.min(...CUTS.filter((cut) => duration(cut) <= 13).map(costOf))}元`,
  mgt_0044: () => {
    const lot = Math.sqrt((2 * 3600 * 200) / 4)
    return `${lot}件、${3600 / lot}次`
  },
  mgt_0048: () => `${managers(4096, 4) - managers(4096, 8)}人`,
  mgt_0049: () => String(relations(4) - relations(3)),
  mgt_0067: () => {
    const pairs = ['0.7 0.7', '0.9 0.5', '0.5 0.9', '1.0 0.4'].map((pair) => pair.split(' '))
    const force = ([valence, expectancy]: string[]): number => Number(valence) * Number(expectancy)
    const [valence, expectancy] = pairs.sort((a, b) => force(b) - force(a))[0] ?? []
    return `效价${valence}，期望值${expectancy}`
  },
  mgt_0083: () => `${2100 * 9 - 1000 * 2 * 10}元`,
}
