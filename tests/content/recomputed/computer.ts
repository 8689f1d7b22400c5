import { at, mean, only, orders, range, sum, upTo } from './numbers.ts'

/** Value of a two's complement number. */
const signed = (bits: string): number => {
  const value = Number.parseInt(bits, 2)
  return bits.startsWith('1') ? value - 2 ** bits.length : value
}

/** Tells whether a stack that takes 1, 2, 3 … in turn can give them in this order. */
function poppable(order: readonly number[]): boolean {
  const stack: number[] = []
  let pushed = 0
  for (const each of order) {
    while (pushed < each) stack.push(++pushed)
    if (stack.pop() !== each) return false
  }
  return true
}

const PRECEDENCE: Record<string, number> = { '+': 1, '-': 1, '*': 2 }
function toPostfix(infix: string): string {
  const stack: string[] = []
  let out = ''
  for (const sign of infix) {
    const own = PRECEDENCE[sign]
    if (sign === '(') stack.push(sign)
    else if (sign === ')') {
      while (stack.at(-1) !== '(') out += stack.pop() ?? ''
      stack.pop()
    } else if (own) {
      while ((PRECEDENCE[stack.at(-1) ?? ''] ?? 0) >= own) out += stack.pop() ?? ''
      stack.push(sign)
    } else out += sign
  }
  return out + stack.reverse().join('')
}

/** The elements that a binary search looks at. */
function probes(sorted: readonly number[], wanted: number): number[] {
  let [low, high] = [0, sorted.length - 1]
  const seen: number[] = []
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    seen.push(at(sorted, middle))
    if (at(sorted, middle) === wanted) break
    if (at(sorted, middle) < wanted) low = middle + 1
    else high = middle - 1
  }
  return seen
}

/** The comparisons that find each key again. */
function hashed(keys: readonly number[], size: number): number[] {
  const slots: (number | undefined)[] = []
  return keys.map((key) => {
    let tried = 1
    let slot = key % size
    while (slots[slot] !== undefined) {
      slot = (slot + 1) % size
      tried++
    }
    slots[slot] = key
    return tried
  })
}

/** One pass of a quicksort that fills holes from both ends. */
function partition(given: readonly number[]): number[] {
  const xs = [...given]
  const pivot = at(xs, 0)
  let [left, right] = [0, xs.length - 1]
  while (left < right) {
    while (left < right && at(xs, right) >= pivot) right--
    xs[left] = at(xs, right)
    while (left < right && at(xs, left) <= pivot) left++
    xs[right] = at(xs, left)
  }
  xs[left] = pivot
  return xs
}

function postorder(pre: string, inside: string): string {
  const root = pre.charAt(0)
  if (root === '') return ''
  const left = inside.indexOf(root)
  return (
    postorder(pre.slice(1, left + 1), inside.slice(0, left)) +
    postorder(pre.slice(left + 1), inside.slice(left + 1)) +
    root
  )
}

function huffman(weights: readonly number[]): number {
  const left = [...weights]
  let length = 0
  while (left.length > 1) {
    left.sort((a, b) => a - b)
    const joined = (left.shift() ?? NaN) + (left.shift() ?? NaN)
    length += joined
    left.push(joined)
  }
  return length
}

interface Tree {
  key: number
  left?: Tree
  right?: Tree
}
const height = (tree?: Tree): number => (tree ? 1 + Math.max(height(tree.left), height(tree.right)) : 0)
const lean = (tree: Tree): number => height(tree.left) - height(tree.right)
const raise = (tree: Tree, side: 'left' | 'right'): Tree => {
  const other = side === 'left' ? 'right' : 'left'
  const child = tree[side]
  return child ? { ...child, [other]: { ...tree, [side]: child[other] } } : tree
}
function insert(tree: Tree | undefined, key: number): Tree {
  if (!tree) return { key }
  const side = key < tree.key ? 'left' : 'right'
  const other = side === 'left' ? 'right' : 'left'
  const child = insert(tree[side], key)
  const grown = { ...tree, [side]: child }
  if (Math.abs(lean(grown)) < 2) return grown
  const inner = side === 'left' ? lean(child) < 0 : lean(child) > 0
  return raise(inner ? { ...grown, [side]: raise(child, other) } : grown, side)
}

type Edge = [from: string, to: string, weight: number]
/** Weight of a minimum spanning tree, by Kruskal. */
function spanning(edges: readonly Edge[]): number {
  const part = new Map(edges.flatMap(([a, b]) => [a, b]).map((v) => [v, v]))
  let total = 0
  for (const [a, b, weight] of edges.toSorted((x, y) => x[2] - y[2])) {
    const [one, other] = [part.get(a), part.get(b)]
    if (one === other) continue
    total += weight
    for (const [v, p] of part) if (p === other) part.set(v, one ?? '')
  }
  return total
}
/** Length of the shortest way, trying them all. */
const shortest = (edges: readonly Edge[], from: string, to: string): number =>
  from === to
    ? 0
    : Math.min(...edges.filter(([a]) => a === from).map(([, b, weight]) => weight + shortest(edges, b, to)))

/** Candidate keys of R(A,B,C,D), and its normal form where every attribute is in one of them. */
function keysAndForm(dependencies: readonly [string, string][]): string {
  const closure = (set: string): string =>
    dependencies.reduce(
      (all, [left, right]) =>
        left.split('').every((x) => all.includes(x)) && !all.includes(right) ? closure(all + right) : all,
      set,
    )
  const isKey = (set: string): boolean => closure(set).length === 4
  const sets = range(16).map((mask) =>
    'ABCD'
      .split('')
      .filter((_, i) => mask & (1 << i))
      .join(''),
  )
  const keys = sets.filter((set) => isKey(set) && set.split('').every((x) => !isKey(set.replace(x, ''))))
  const prime = 'ABCD'.split('').every((x) => keys.some((key) => key.includes(x)))
  return `${keys.length}个，${dependencies.every(([left]) => isKey(left)) ? 'BCNF' : prime ? '3NF' : '2NF'}`
}

const [R, S]: [[number, string][], [string, number][]] = [
  [
    [1, 'x'],
    [2, 'x'],
    [3, 'y'],
  ],
  [
    ['x', 5],
    ['x', 6],
    ['y', 7],
    ['z', 8],
  ],
]
const TAKEN: [student: string, score: number | null][] = [
  ['S1', 90],
  ['S1', 80],
  ['S2', 70],
  ['S2', null],
  ['S3', 60],
]
const scores = (of: (student: string) => boolean): number[] =>
  TAKEN.flatMap(([student, score]) => (of(student) && score !== null ? [score] : []))

const calls = (n: number): number => (n <= 1 ? 1 : 1 + calls(n - 1) + calls(n - 2))

/** The float that these bits stand for. */
function float(hex: string): number {
  const view = new DataView(new ArrayBuffer(4))
  view.setUint32(0, Number.parseInt(hex, 16))
  return view.getFloat32(0)
}

/** Codes, data structures, databases, programs and ciphers of computer.json, run or simulated from the figures asked. */
export const computer = {
  csc_0001: () => `${(156).toString(16).toUpperCase()}H`,
  csc_0002: () => String(signed('11010110')),
  csc_0004: () => [(13.6875).toString(2), (13.6875).toString(8)],
  csc_0005: () => `${'f'.charCodeAt(0).toString(16)}H`,
  csc_0006: () => `${((1000 * 24 * 24) / 8 / 1024).toFixed(1)} KB`,
  csc_0007: () => String(float('C1480000')),
  csc_0008: () =>
    only(['01100000＋00111000', '11000000＋11000000', '01111111＋10000000', '11110000＋01000000'], (text) => {
      const total = sum(text.split('＋').map(signed))
      return total > 127 || total < -128
    }),
  csc_0010: () => `${range(9).find((r) => 2 ** r >= 8 + r + 1)}位`,
  csc_0011: () =>
    only(['3、1、2、4', '2、1、4、3', '1、4、3、2', '3、2、4、1'], (text) => !poppable(text.split('、').map(Number))),
  csc_0012: () => String((6 - 15 + 20) % 20),
  csc_0013: () => toPostfix('a*(b+c)-d'),
  csc_0014: () => probes([5, 13, 19, 21, 37, 56, 64, 75, 80, 88, 92], 21).join('，'),
  csc_0015: () => upTo(mean(hashed([19, 14, 23, 1, 68, 20, 84, 27], 13)), 2),
  csc_0016: () => partition([50, 28, 71, 66, 19, 83, 42]).join('，'),
  csc_0018: () => {
    // The count grows so when n is doubled 2^10 times.
    const ran = (n: number): number => sum(range(40).map((k) => (2 ** k <= n ? 2 ** k : 0)))
    const growth = ran(2 ** 20) / ran(2 ** 10)
    const laws: [string, number][] = [
      ['O(n)', 2 ** 10],
      ['O(n log n)', 2 ** 11],
      ['O(log n)', 2],
      ['O(n²)', 2 ** 20],
    ]
    return only(
      laws.map(([name]) => name),
      (name) => laws.some(([n, expected]) => n === name && Math.abs(growth / expected - 1) < 0.01),
    )
  },
  csc_0020: () => postorder('ABDGECFH', 'DGBEAFHC'),
  csc_0021: () => `${range(699).filter((i) => 2 * (i + 1) > 699).length}个`,
  csc_0022: () => [String(10 + 1), String(10 + 5 + 10 + 1)],
  csc_0023: () => String(huffman([3, 5, 6, 8, 10, 18])),
  csc_0024: () => {
    const tree = [20, 10, 15, 30, 25].reduce<Tree | undefined>(insert, undefined)
    return `${tree?.left?.key}、${tree?.right?.key}`
  },
  csc_0025: () =>
    String(
      spanning([
        ['A', 'B', 4],
        ['A', 'C', 2],
        ['B', 'C', 3],
        ['B', 'D', 6],
        ['C', 'D', 5],
        ['C', 'E', 8],
        ['D', 'E', 1],
      ]),
    ),
  csc_0026: () =>
    `${orders('abcde'.split('')).filter((order) => ['ab', 'ac', 'bd', 'cd', 'ce'].every(([x, y]) => order.indexOf(x ?? '') < order.indexOf(y ?? ''))).length}种`,
  csc_0027: () =>
    String(
      shortest(
        [
          ['A', 'B', 10],
          ['A', 'C', 3],
          ['C', 'B', 4],
          ['C', 'D', 8],
          ['B', 'D', 2],
          ['D', 'E', 7],
          ['C', 'E', 15],
        ],
        'A',
        'E',
      ),
    ),
  csc_0066: () => [String(3 + 2), String(4 * 5)],
  csc_0067: () => String(R.flatMap(([, b]) => S.filter(([other]) => other === b)).length),
  csc_0069: () =>
    keysAndForm([
      ['AB', 'C'],
      ['C', 'D'],
      ['D', 'A'],
    ]),
  csc_0072_1: () => `${TAKEN.length}，${scores(() => true).length}`,
  csc_0072_2: () => ['S1', 'S2', 'S3'].filter((student) => mean(scores((s) => s === student)) >= 70).join('、'),
  csc_0072_3: () =>
    String(sum(['S1', 'S2', 'S3', 'S4'].map((s) => Math.max(1, TAKEN.filter(([t]) => t === s).length)))),
  csc_0076: () => String(Math.trunc(17 / 5) + (17 % 5)),
  csc_0077: () => String(sum(range(11).filter((i) => i % 3 !== 0))),
  csc_0078: () => {
    const [a, p] = [[2, 4, 6, 8, 10], 1]
    return String(at(a, p + 2) + at(a, p - 1))
  },
  csc_0079: () => `${calls(5)}次`,
  csc_0080: () => {
    const f = (x: number, y: { value: number }): void => void (y.value += x + 5)
    const [a, b] = [1, { value: 2 }]
    f(a, b)
    return `${a},${b.value}`
  },
  csc_0086: () => String(range(40).find((d) => (3 * d) % (4 * 10) === 1)),
}
