import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { workerReady } from '#tests/e2e/browser.ts'
import { findEngine } from '#tests/e2e/engine.ts'
import { bankJson } from '#tests/support/bank.ts'
import { type Figure, median, spread } from './figures.ts'
import { makeOp, post } from './load.ts'
import { type Product, startProduct, type Student } from './product.ts'
import { logIn, newPhone, visit } from './visit.ts'

const FEW = 200
const MANY = 20_000
const CHAPTER = 50
const BATCH = 100
const DAY_MS = 86_400_000
/** Answers lie so far back, one after another, and begin anew. */
const DAYS = 300
const WRONG_EACH = 4
const RUNS = 3
const READINGS = 20
const GIVE_UP_MS = 300_000
const LIST = '/question/library'
const STUDY = '/question/library_study/REC_c1/20/第1章'
const IN_LIST = 'main section[aria-labelledby] li button'
const IN_STUDY = 'main h1'
const BOOK = '/user/my_error'
const IN_BOOK = 'main ul[aria-label^="未掌握"] li button'
const STATS = '[aria-label="学习统计"]'
const IN_STATS = 'dialog dl dd'

declare global {
  interface Window {
    shownAfter?: number
  }
}
interface Pull {
  ms: number
  longestTask: number
  calls: number
}
const READS = ['counters', 'due', 'dueAll', 'days'] as const
type Readings = Record<(typeof READS)[number], number[]>
interface Account {
  phone: Awaited<ReturnType<typeof newPhone>>
  pull: Pull
  list: number[]
  start: number[]
  book: number[]
  stats: number[]
  reads: Readings
}

/** One account with 200 study records and one with 20,000: what the size of the record costs. */
export async function record(): Promise<Figure[]> {
  const product = await startProduct()
  product.importBank(bankJson({ prefix: 'REC', chapters: MANY / CHAPTER, perChapter: CHAPTER }))
  const few = await open(product, FEW)
  const many = await open(product, MANY)
  // Turn about, so that both see the same weather on a shared machine.
  for (let run = 0; run < RUNS; run++) for (const account of [few, many]) await launch(product, account)
  for (const account of [few, many]) await read(product, account)
  const ratio = (name: string, of: (account: Account) => number[]): Figure => ({
    name: `${name}, 20,000 records against 200`,
    value: median(of(many)) / median(of(few)),
    unit: '×',
    note: `${median(of(few)).toFixed(1)} and ${median(of(many)).toFixed(1)} ms (${spread(of(many))})`,
  })
  return [
    {
      name: 'first pull of 20,000 records: longest task',
      value: many.pull.longestTask,
      unit: 'ms',
      budget: { max: 50 },
      note: `${many.pull.calls} calls`,
    },
    { name: 'first pull of 20,000 records', value: many.pull.ms, unit: 'ms' },
    { name: 'first pull of 200 records', value: few.pull.ms, unit: 'ms' },
    ratio('offline launch to a question', ({ start }) => start),
    ratio('library page shown', ({ list }) => list),
    ratio('offline launch to the error book', ({ book }) => book),
    ratio('its statistics opened', ({ stats }) => stats),
    ratio('reading the counters of 50 chapters', ({ reads }) => reads.counters),
    ratio('reading 50 that are due', ({ reads }) => reads.due),
    ratio('reading all that are due', ({ reads }) => reads.dueAll),
    ratio('reading the days', ({ reads }) => reads.days),
  ]
}

async function open(product: Product, count: number): Promise<Account> {
  const student = await product.student()
  await answer(product, student, count)
  const phone = await newPhone()
  const pull = await firstPull(phone.page, product, student, count)
  await phone.page.goto(product.url + STUDY, { waitUntil: 'domcontentloaded' })
  await phone.page.locator(IN_STUDY).waitFor()
  // What the page has read goes to disk a little later.
  await pause(1_000)
  await phone.context.close()
  return {
    phone,
    pull,
    list: [],
    start: [],
    book: [],
    stats: [],
    reads: { counters: [], due: [], dueAll: [], days: [] },
  }
}

/** By another device, which nobody has any more. */
async function answer({ url }: Product, { uid, token }: Student, count: number): Promise<void> {
  const device = randomUUID()
  const now = Date.now()
  for (let from = 0; from < count; from += BATCH) {
    const ops = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => {
      const n = from + i + 1
      const op = makeOp(`REC_q${n}`, n, now - (n % DAYS) * DAY_MS)
      const ids = [n % WRONG_EACH ? 'B' : 'A']
      return {
        ...op,
        payload: { questionNo: `REC_q${n}`, response: { kind: 'choice', ids }, spentMs: 4_000, from: 'library' },
      }
    })
    const fields = { device, owner: uid, proto: '1', sentAt: String(now), cursor: '0', ops: JSON.stringify(ops) }
    const text = (await post(url, 'study/sync', new URLSearchParams(fields).toString(), token)).toString()
    if ((text.match(/"verdict":"applied"/g)?.length ?? 0) !== ops.length) throw new Error(text.slice(0, 200))
  }
}

/** A new device gets everything, while its page is open. */
async function firstPull(page: Page, product: Product, student: Student, count: number): Promise<Pull> {
  await logIn(page, product.url, student)
  await page.route('**/study/sync', (route) => route.abort())
  await page.goto(product.url + LIST, { waitUntil: 'domcontentloaded' })
  await page.locator(IN_LIST).first().waitFor()
  await workerReady(page)
  await page.evaluate(() => {
    window.bench = { shown: 0, fcp: 0, cls: 0, tasks: [] }
    new PerformanceObserver((list) =>
      list.getEntries().forEach((task) => window.bench?.tasks.push(task.duration)),
    ).observe({ type: 'longtask' })
  })
  let calls = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/study/sync')) calls++
  })
  await page.unroute('**/study/sync')
  const started = performance.now()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  while ((await statesOn(page)) < count) {
    if (performance.now() - started > GIVE_UP_MS) throw new Error(`after ${GIVE_UP_MS} ms not all records are there`)
    await pause(100)
  }
  const ms = performance.now() - started
  const tasks = (await page.evaluate(() => window.bench?.tasks)) ?? []
  return { ms, calls, longestTask: Math.max(0, ...tasks) }
}

const statesOn = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('jk-outbox')
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('no record')))
    })
    const count = await new Promise<number>((resolve) => {
      const request = db.transaction('states').objectStore('states').count()
      request.addEventListener('success', () => resolve(request.result))
    })
    db.close()
    return count
  })

/** Each time in a browser of its own: one that is open, and slowed down, burns the core that the other one needs. */
async function launch({ url }: Product, { phone, list, start, book, stats }: Account): Promise<void> {
  const open = async (address: string, content: string, offline: boolean): Promise<number> => {
    await phone.reopen({ offline })
    return (await visit(phone.page, url + address, content, offline)).shown
  }
  list.push(await open(LIST, IN_LIST, false))
  await phone.context.close()
  start.push(await open(STUDY, IN_STUDY, true))
  await phone.context.close()
  book.push(await open(BOOK, IN_BOOK, true))
  stats.push(await openStats(phone.page))
  await phone.context.close()
}

/** Ms from the click to the frame that shows the figures. */
async function openStats(page: Page): Promise<number> {
  await page.locator(STATS).waitFor()
  await page.evaluate(
    ([opener = '', content = '']) => {
      const button = document.querySelector<HTMLElement>(opener)
      const started = performance.now()
      const look = () => {
        if (document.querySelector(content)) window.shownAfter = performance.now() - started
        else requestAnimationFrame(look)
      }
      button?.click()
      look()
    },
    [STATS, IN_STATS],
  )
  return (await page.waitForFunction(() => window.shownAfter)).jsonValue().then(Number)
}

async function read({ url }: Product, { phone, reads }: Account): Promise<void> {
  await phone.reopen()
  await phone.page.goto(url + LIST, { waitUntil: 'domcontentloaded' })
  await phone.page.locator(IN_LIST).first().waitFor()
  await findEngine(phone.page)
  const taken = await phone.page.evaluate(
    async ({ times, chapters }) => {
      const engine = window.engineOfPage
      if (!engine) throw new Error('the page exports no engine')
      const ways = {
        counters: () => engine.counters(chapters),
        due: () => engine.shelf('due', { limit: 50 }),
        dueAll: () => engine.shelf('due'),
        days: () => engine.things('day'),
      }
      const all: Record<string, number[]> = {}
      for (const [name, way] of Object.entries(ways)) {
        const list: number[] = []
        for (let i = 0; i < times; i++) {
          const started = performance.now()
          await way()
          list.push(performance.now() - started)
        }
        all[name] = list
      }
      return all
    },
    { times: READINGS, chapters: Array.from({ length: 50 }, (_, i) => `REC_c${i + 1}`) },
  )
  for (const name of READS) reads[name].push(...(taken[name] ?? []))
}
