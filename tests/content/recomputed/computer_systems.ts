import { at, mean, only, orders, range, sum, upTo } from './numbers.ts'

/** When each process has finished, in turns of `slice`. */
function roundRobin(bursts: readonly number[], slice: number): number[] {
  const left = [...bursts]
  const finished: number[] = []
  const queue = range(bursts.length)
  let now = 0
  for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
    const run = Math.min(slice, at(left, each))
    now += run
    left[each] = at(left, each) - run
    if (at(left, each) > 0) queue.push(each)
    else finished[each] = now
  }
  return finished
}

const [NEED, HAS]: [number[], number[]] = [
  [7, 2, 5],
  [2, 3, 2],
]
/** The orders in which all can finish when `spare` is left. */
const safe = (need: readonly number[], has: readonly number[], spare: number): number[][] =>
  orders(range(need.length)).filter((order) => {
    let left = spare
    return order.every((p) => {
      const enough = at(need, p) <= left
      left += at(has, p)
      return enough
    })
  })

const REFERENCES = [1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5]
/** Page faults: the page that leaves is the first in the queue, and a page in use goes to its end with LRU. */
function pageFaults(frames: number, lru: boolean): number {
  let queue: number[] = []
  let missed = 0
  for (const page of REFERENCES) {
    if (!queue.includes(page)) {
      missed++
      queue = [...queue, page].slice(-frames)
    } else if (lru) queue = [...queue.filter((each) => each !== page), page]
  }
  return missed
}

function nearestFirst(start: number, requests: readonly number[]): number {
  let left = [...requests]
  let [head, moved] = [start, 0]
  while (left.length > 0) {
    const next = left.reduce((best, each) => (Math.abs(each - head) < Math.abs(best - head) ? each : best))
    moved += Math.abs(next - head)
    head = next
    left = left.filter((each) => each !== next)
  }
  return moved
}

function remainder(data: string, divisor: string): string {
  const bits = `${data}${'0'.repeat(divisor.length - 1)}`.split('').map(Number)
  for (let i = 0; i < data.length; i++)
    if (bits[i] === 1) for (const [j, bit] of divisor.split('').entries()) bits[i + j] = at(bits, i + j) ^ Number(bit)
  return bits.slice(data.length).join('')
}

const ip = (text: string): number => text.split('.').reduce((value, part) => value * 256 + Number(part), 0)
const dotted = (value: number): string => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
/** The shortest prefix that holds both ends. */
function prefix(first: string, last: string): string {
  const length = range(33).findLast(
    (n) => Math.floor(ip(first) / 2 ** (32 - n)) === Math.floor(ip(last) / 2 ** (32 - n)),
  )
  return `${first}/${length}`
}

/** Rounds of slow start and congestion avoidance. */
const windows = (threshold: number, rounds: number): number[] =>
  range(rounds - 1).reduce(
    (all) => [
      ...all,
      at(all, all.length - 1) < threshold
        ? Math.min(2 * at(all, all.length - 1), threshold)
        : at(all, all.length - 1) + 1,
    ],
    [1],
  )

/** Organisation, operating systems and networks of computer.json, simulated from the figures asked. */
export const computerSystems = {
  csc_0030: () => `${(64 / 16) * (8 / 4)}片`,
  csc_0031: () => `${upTo(0.95 * 5 + 0.05 * (5 + 60), 3)} ns`,
  csc_0032: () => String(Math.log2(2 ** 20) - Math.log2((16 * 1024) / 64) - Math.log2(64)),
  csc_0033: () => `${upTo((2e9 * (0.5 * 1 + 0.3 * 2 + 0.2 * 4)) / 2e9, 3)} s`,
  csc_0034: () => `${(5 + 100 - 1) * 2} ns`,
  csc_0037: () => {
    const turn = 60_000 / 6000
    return [upTo(turn / 2, 2), upTo(8 + turn / 2 + turn / 100, 2)]
  },
  csc_0038: () => `${(0x2000 + 2 + 0x06).toString(16).toUpperCase()}H`,
  csc_0041: () => {
    const bursts = [8, 4, 9, 5].sort((a, b) => a - b)
    return `${mean(bursts.map((_, i) => sum(bursts.slice(0, i + 1))))}分钟`
  },
  csc_0042: () => mean(roundRobin([5, 3, 4], 2)).toFixed(2),
  csc_0043: () => String(Math.max(0, -(-2))),
  csc_0044: () => `${range(20).find((n) => n > 4 * (3 - 1))}个`,
  csc_0046_1: () =>
    safe(NEED, HAS, 3)
      .map((order) => order.map((p) => `P${p + 1}`).join('→'))
      .join(),
  csc_0046_2: () =>
    only(['P3申请2个', 'P1申请1个', 'P2申请1个', 'P2申请2个'], (text) => {
      const [who, asked] = [Number(text[1]) - 1, Number(text[4])]
      const given = (xs: readonly number[], by: number): number[] => xs.map((x, p) => (p === who ? x + by : x))
      return safe(given(NEED, -asked), given(HAS, asked), 3 - asked).length === 0
    }),
  csc_0048: () => String(pageFaults(3, true)),
  csc_0049: () => (pageFaults(4, false) <= pageFaults(3, false) ? '对' : '错'),
  csc_0050: () => `${(at([3, 7, 5, 2], 0x2a5c >> 12) * 4096 + (0x2a5c & 0xfff)).toString(16).toUpperCase()}H`,
  csc_0051: () => `${nearestFirst(50, [95, 180, 34, 119, 11, 123, 62, 64])}道`,
  csc_0052: () => [String(1024 / 4), String(10 + 1024 / 4 + (1024 / 4) ** 2)],
  csc_0054: () => `${(2 * 4000 * Math.log2(16)) / 1000} kb/s`,
  csc_0055: () => remainder('1011001', '11001'),
  csc_0056: () => `${Math.round(((2 * 1000) / 2e8) * 100e6)}位`,
  csc_0059: () => {
    const lengths = range(31).filter((n) => n >= 24 && 2 ** (n - 24) >= 6 && 2 ** (32 - n) - 2 >= 25)
    return lengths.map((n) => dotted(2 ** 32 - 2 ** (32 - n))).join()
  },
  csc_0060: () => dotted(Math.floor(ip('172.16.75.200') / 2 ** 12) * 2 ** 12 + 2 ** 12 - 1),
  csc_0061: () => prefix('10.1.4.0', '10.1.7.255'),
  csc_0062: () => [String(1000 + 1), String(5000 + 1)],
  csc_0063: () => String(windows(24 / 2, 6).at(-1)),
}
