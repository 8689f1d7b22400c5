import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { workerReady } from '#tests/e2e/browser.ts'
import { bankJson } from '#tests/support/bank.ts'
import { atEnd } from './endings.ts'
import { type Figure, median, spread } from './figures.ts'
import { startProduct } from './product.ts'
import { newPhone, type Visit, visit } from './visit.ts'

const RUNS = 5
const LIST = '/question/library'
const STUDY = '/question/library_study/BENCH_c1/20/第1章'
/** A chapter that can be opened; an option that can be tapped. */
const CHAPTER = 'main section[aria-labelledby] li button'
const OPTION = 'main fieldset label:has(input:enabled)'
/** The worker is there; what the page has read goes to disk a little later. */
const STORED_MS = 1_000

interface Run {
  floor: Visit
  cold: Visit
  warm: Visit
  first: Visit
  offline: Visit | null
}

/** A visitor on a slow phone (budgets as in docs/decisions/start-and-budgets.md): first visit, later visit, and without any network. Each run is a new browser profile. */
export async function paint(): Promise<Figure[]> {
  const product = await startProduct()
  product.importBank(bankJson({ prefix: 'BENCH', chapters: 4, perChapter: 50 }))
  const still = await serveStill()
  const runs: Run[] = []
  for (let i = 0; i < RUNS; i++) runs.push(await run(product.url, still))
  return figures(runs)
}

/** A page without any script: what this browser on this machine costs by itself. */
async function serveStill(): Promise<string> {
  const server = createServer((_, reply) => {
    reply.setHeader('content-type', 'text/html; charset=utf-8')
    reply.end(`<!doctype html><html lang="zh-CN"><title>题库</title><main>${'<p>题库章节练习</p>'.repeat(12)}</main>`)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}/`
}

async function run(url: string, still: string): Promise<Run> {
  const bare = await newPhone()
  const floor = await visit(bare.page, still, 'main p')
  await bare.close()
  const other = await newPhone()
  const first = await visit(other.page, url + STUDY, OPTION)
  await other.close()

  const phone = await newPhone()
  const cold = await visit(phone.page, url + LIST, CHAPTER)
  await workerReady(phone.page)
  await pause(STORED_MS)
  await phone.context.close()
  await phone.reopen()
  const warm = await visit(phone.page, url + LIST, CHAPTER)
  await phone.page.goto(url + STUDY, { waitUntil: 'domcontentloaded' })
  await phone.page.locator(OPTION).first().waitFor()
  await pause(STORED_MS)
  await phone.context.close()
  await phone.reopen({ offline: true })
  const offline = await visit(phone.page, url + STUDY, OPTION, true).catch(() => null)
  await phone.close()
  return { floor, first, cold, warm, offline }
}

function figures(runs: readonly Run[]): Figure[] {
  const offline = runs.flatMap((run) => run.offline ?? [])
  const of = (visits: readonly Visit[], key: keyof Visit) => visits.map((visit) => visit[key])
  const row = (name: string, visits: Visit[], key: keyof Visit, max: number, unit: Figure['unit'] = 'ms'): Figure => {
    const values = of(visits, key).map((value) => (unit === 'KB' ? value / 1024 : value))
    return { name, value: median(values), unit, budget: { max }, note: spread(values) }
  }
  const pick = (which: 'floor' | 'cold' | 'warm' | 'first') => runs.map((run) => run[which])
  const [floor, cold, warm, first] = [pick('floor'), pick('cold'), pick('warm'), pick('first')]
  const plain = (name: string, visits: Visit[], key: keyof Visit): Figure => {
    const values = of(visits, key)
    return { name, value: median(values), unit: 'ms', note: spread(values) }
  }
  return [
    plain('a page without script, cold: first paint', floor, 'fcp'),
    plain('a page without script, cold: longest task', floor, 'longest'),
    row('cold: first paint', cold, 'fcp', 1000),
    row('cold: list shown', cold, 'shown', 2800),
    row('cold: first question shown (deep link)', first, 'shown', 2900),
    row('cold: all bytes until the first question', first, 'bytes', 215, 'KB'),
    row('cold: requests until the first question', first, 'requests', 14, ''),
    row('cold: longest task', cold, 'longest', 120),
    row('cold: total blocking time', cold, 'blocking', 150),
    row('cold: layout shift', cold, 'cls', 0.02, ''),
    row('warm: first paint', warm, 'fcp', 600),
    row('warm: list shown', warm, 'shown', 800),
    plain('warm: longest task', warm, 'longest'),
    row('warm: layout shift', warm, 'cls', 0.02, ''),
    row('offline: first paint', offline, 'fcp', 600),
    row('offline: answerable question (deep link)', offline, 'shown', 800),
    {
      name: 'offline: launches that worked',
      value: (offline.length / runs.length) * 100,
      unit: '%',
      budget: { min: 100 },
    },
  ]
}
