import { build } from 'vite'
import path from 'node:path'
import type { Index } from '#src/search/engine.ts'
import { bankJson } from '#tests/support/bank.ts'
import { type Figure, median, spread } from './figures.ts'
import { startProduct } from './product.ts'
import type * as entry from './searchEntry.ts'
import { newPhone, slowDown, SLOW_CPU } from './visit.ts'

const QUESTIONS = 10_000
/** Kept on the phone in which the product's own search is opened. */
const KEPT_QUESTIONS = 30_000
const PER_BLOCK = 25
const TRIES = 5
/** One character, words, a formula, digits, English, words apart; at last a slip, which is the slowest. */
const ASKED = ['力', '动能定理', 'f=ma', '1949', 'the people', '起义 长征', '不在其中的词', '动能定里']
const WORDS = [
  ...'动能定理 牛顿第二定律 南昌起义 遵义会议 红军长征 实践是检验真理的唯一标准 矛盾的普遍性 物体做匀加速直线运动'.split(
    ' ',
  ),
  ...'函数的单调性 等差数列前n项和 化学平衡 国防动员 内务条令 万有引力 F=ma E=mc² x²+1=0 the people'.split(' '),
]
const COMMON =
  '的是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多'

declare global {
  interface Window {
    search?: typeof entry
    index?: Index
  }
}

/**
 * The index itself in a page whose CPU is slowed down, because that throttle reaches no worker; then the product's own worker,
 * as quick as this machine, over as many questions kept on the device.
 */
export async function search(): Promise<Figure[]> {
  const slowed = await slowedEngine(makeBlocks(QUESTIONS))
  const product = await inProduct(makeBlocks(KEPT_QUESTIONS))
  const slow = `CPU ${SLOW_CPU}× slower`
  return [
    ...slowed.answers.map(({ asked, times }): Figure => ({
      name: `search of 10,000 questions: ${asked}`,
      value: median(times),
      unit: 'ms',
      budget: { max: 200 },
      note: `${slow}, ${spread(times)}`,
    })),
    { name: 'search: making 10,000 questions searchable', value: slowed.madeMs, unit: 'ms', note: slow },
    { name: 'search: heap of the index', value: slowed.heapMb, unit: 'MB' },
    ...inProductFigures(product),
  ]
}

/** The worker is as quick as this machine: a phone takes about four times as long, of which 5 s are allowed. */
const inProductFigures = ({ firstMs, againMs, keptMb, longest }: InProduct): Figure[] => [
  {
    name: 'search of 30,000 opened, index made',
    value: firstMs,
    unit: 'ms',
    budget: { max: 5_000 / SLOW_CPU },
    note: 'worker, not slowed',
  },
  { name: 'search of 30,000 opened, index read back', value: againMs, unit: 'ms', note: 'worker, not slowed' },
  { name: 'search of 30,000: longest task of the page meanwhile', value: longest, unit: 'ms', budget: { max: 120 } },
  { name: 'search of 30,000: kept for it on the device', value: keptMb, unit: 'MB', budget: { max: 12 } },
]

type Blocks = ReturnType<typeof makeBlocks>

/** About 250 characters a question, a tenth of the words its subject's own. The same at every run. */
function makeBlocks(count: number) {
  let seed = 42
  const chance = (below: number): number => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) % below
  const text = (length: number): string => {
    let made = ''
    while (made.length < length) made += chance(12) === 0 ? WORDS[chance(WORDS.length)] : COMMON[chance(COMMON.length)]
    return made
  }
  const question = (no: number) => ({
    no: `S_q${no}`,
    type: 'single' as const,
    stem: `<p>${text(50)}（${1900 + chance(125)}年）</p>`,
    options: ['A', 'B', 'C', 'D'].map((id) => ({ id, html: text(14) })),
    key: ['B'],
    analysis: `<p>${text(120)}</p>`,
    points: [],
    difficulty: 3,
    source: '',
    year: 0,
  })
  return Array.from({ length: count / PER_BLOCK }, (_, at) =>
    Array.from({ length: PER_BLOCK }, (_, i) => question(at * PER_BLOCK + i)),
  )
}

async function slowedEngine(blocks: Blocks) {
  const { page } = await newPhone()
  await page.goto('about:blank')
  await page.addScriptTag({ content: await engineScript() })
  const session = await slowDown(page, { cpu: SLOW_CPU })
  const before = await heapOf()
  const madeMs = await page.evaluate(fillIndex, blocks)
  const heapMb = (await heapOf()) - before
  const answers: { asked: string; times: number[] }[] = []
  for (const asked of ASKED) answers.push({ asked, times: await page.evaluate(timeSearches, { asked, tries: TRIES }) })
  return { madeMs, heapMb, answers }

  async function heapOf(): Promise<number> {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1024 ** 2
  }
}

/** The index as one script that a page can run. */
async function engineScript(): Promise<string> {
  const file = path.join(import.meta.dirname, 'searchEntry.ts')
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry: file, formats: ['iife'], name: 'search' } },
  })
  const [bundle] = Array.isArray(built) ? built : [built]
  if (!bundle || !('output' in bundle)) throw new Error('the index was not built')
  return bundle.output[0].code
}

/** Runs in the page. */
function fillIndex(blocks: Blocks): number {
  const { search } = window
  if (!search) throw new Error('no index')
  const index = search.createIndex()
  const started = performance.now()
  blocks.forEach((block, at) =>
    index.put(
      String(at),
      block.map((question) => search.docOf(question, { chapterNo: 'S_c1', at })),
    ),
  )
  index.setOwn({ notes: new Map(), wrong: new Set(), subjects: new Map([['S_c1', 's']]) })
  if (index.size() !== blocks.flat().length) throw new Error('questions are missing')
  window.index = index
  return performance.now() - started
}

/** Runs in the page. */
function timeSearches({ asked, tries }: { asked: string; tries: number }): number[] {
  const { index } = window
  return Array.from({ length: tries }, () => {
    const started = performance.now()
    index?.search({ text: asked, scope: 'all' })
    return performance.now() - started
  })
}

interface InProduct {
  firstMs: number
  againMs: number
  /** Bytes of the rows that the search keeps, as the rows beside them say. */
  keptMb: number
  longest: number
}

/** From the tap on 搜题 until it says how many questions it can find: the first time, and from what it has kept. */
async function inProduct(blocks: Blocks): Promise<InProduct> {
  const product = await startProduct()
  product.importBank(bankJson({ prefix: 'S', chapters: 1, perChapter: PER_BLOCK }))
  const { page } = await newPhone()
  await page.goto(`${product.url}/question/library`)
  await page.getByRole('dialog').getByText('全国', { exact: true }).click()
  await page.getByRole('button', { name: '确定' }).click()
  await page.getByRole('region', { name: 'S 章节题库' }).waitFor()
  for (let from = 0; from < blocks.length; from += 100)
    await page.evaluate(keepBlocks, { blocks: blocks.slice(from, from + 100), from })
  const open = async () => {
    await page.reload()
    await page.getByRole('region', { name: 'S 章节题库' }).waitFor()
    // What the worker has kept is on disk before the page goes.
    await page.waitForLoadState('networkidle')
    return page.evaluate(timeOpening)
  }
  const [first, again] = [await open(), await open()]
  const longest = Math.max(first.longest, again.longest)
  return { firstMs: first.ms, againMs: again.ms, longest, keptMb: (await page.evaluate(keptBytes)) / 1024 ** 2 }
}

/** Runs in the page. */
async function keptBytes(): Promise<number> {
  const request = indexedDB.open('jk-cache:anon', 1)
  const db = await new Promise<IDBDatabase>((resolve) => {
    request.addEventListener('success', () => resolve(request.result))
  })
  const range = IDBKeyRange.bound('i-search:', 'i-search:\uFFFF')
  const rows = db.transaction('q').objectStore('q').getAll(range)
  const found = await new Promise<{ bytes: number }[]>((resolve) => {
    rows.addEventListener('success', () => resolve(rows.result))
  })
  db.close()
  return found.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Runs in the page: keeps the blocks as if the chapter had been studied from end to end (offline/device/cache.ts). */
async function keepBlocks({ blocks, from }: { blocks: Blocks; from: number }): Promise<void> {
  const { exam } = JSON.parse(localStorage.getItem('user') ?? '{}')
  const request = indexedDB.open('jk-cache:anon', 1)
  const db = await new Promise<IDBDatabase>((resolve) => {
    request.addEventListener('success', () => resolve(request.result))
  })
  const tx = db.transaction('q', 'readwrite')
  blocks.forEach((questions, i) => {
    const at = from + i
    const queryKey = ['anon', '0', exam.key, 'question/block', { at, no: 'S_c1' }]
    const queryHash = JSON.stringify(queryKey)
    const state = { data: { no: 'S_c1', at, rev: 'r', questions }, dataUpdatedAt: Date.now() }
    const row = JSON.stringify({ state, queryKey, queryHash, buster: '1' })
    tx.objectStore('q').put(row, `q-${queryHash}`)
    tx.objectStore('q').put({ bytes: row.length, usedAt: Date.now() }, `i-${queryHash}`)
  })
  await new Promise((resolve) => {
    tx.addEventListener('complete', resolve)
  })
  db.close()
}

/** Runs in the page: from the tap on 搜题 until it says what it can find, ms. */
export async function timeOpening(): Promise<{ ms: number; longest: number }> {
  const tasks: number[] = []
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => tasks.push(duration)))
  observer.observe({ type: 'longtask' })
  const started = performance.now()
  document.querySelector<HTMLElement>('[aria-label=搜题]')?.click()
  const says = () => document.querySelector('dialog [role=status]')?.textContent ?? ''
  await new Promise<void>((resolve) => {
    const look = () => requestAnimationFrame(() => (says().includes('道题都能搜') ? resolve() : look()))
    look()
  })
  return { ms: performance.now() - started, longest: Math.max(0, ...tasks) }
}
