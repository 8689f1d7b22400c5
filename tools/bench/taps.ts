import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { CDPSession, Page } from 'playwright-core'
import { bankJson } from '#tests/support/bank.ts'
import { atEnd } from './endings.ts'
import { type Figure, median, percentile, spread } from './figures.ts'
import { Device } from './load.ts'
import { type Product, startProduct } from './product.ts'
import { logIn, newPhone, openPolitics, slowDown, SLOW_CPU } from './visit.ts'

const CHAPTER = 50
const TURN = 10
const TURNS = 2
const TRIES = 100
/** Option B: right in every test bank. */
const RIGHT = 'main fieldset > div:nth-of-type(2) > label'
const NEXT = 'main nav[aria-label="题目导航"] button:last-of-type'

interface Tapped {
  session: CDPSession
  marked: number[]
  moved: number[]
}
interface Studying extends Tapped {
  pack: Figure
  page: Page
}
declare global {
  interface Window {
    /** Ms of every tap that changed the question or its mark. */
    taps?: number[]
  }
}

/**
 * A tap until its mark is painted, in a downloaded library of 100 and in one of 10,000 whose other questions are answered already;
 * and on a page of a few lines that only stores the answer: what browser and machine take by themselves.
 */
export async function taps(): Promise<Figure[]> {
  const small = await study('SMALL', 100)
  const large = await study('LARGE', 10_000)
  const bare = await bareScreen()
  // Turn about, so that both see the same weather on a shared machine.
  for (let turn = 0; turn < TURNS * 2; turn++) {
    for (const tapped of [small, large, bare]) await takeTurn(tapped)
  }
  const [heapSmall, heapLarge] = [await weigh(small), await weigh(large)]
  const row = (name: string, value: number, max: number, note: string): Figure => ({
    name,
    value,
    unit: 'ms',
    budget: { max },
    note,
  })
  const rise = percentile(large.marked, 0.95) - percentile(small.marked, 0.95)
  return [
    {
      name: 'tap to mark, a page of a few lines: median',
      value: median(bare.marked),
      unit: 'ms',
      note: spread(bare.marked),
    },
    row('tap to mark, 100 questions: median', median(small.marked), 70, spread(small.marked)),
    row('tap to mark, 100 questions: p95', percentile(small.marked, 0.95), 100, ''),
    row('tap to mark, 10,000 questions: median', median(large.marked), 70, spread(large.marked)),
    row('tap to mark, 10,000 questions: p95', percentile(large.marked, 0.95), 100, ''),
    { name: 'tap to mark, 10,000 against 100: medians', value: median(large.marked) / median(small.marked), unit: '×' },
    {
      name: 'tap to mark, 10,000 against a page of a few lines: medians',
      value: median(large.marked) / median(bare.marked),
      unit: '×',
    },
    row('tap to mark, 10,000 against 100: p95 more by', rise, 20, ''),
    row('next question painted, 10,000: p95', percentile(large.moved, 0.95), 120, spread(large.moved)),
    { name: 'heap while studying, 10,000', value: heapLarge.heapMb, unit: 'MB', budget: { max: 12 } },
    {
      name: 'heap, 10,000 against 100: more by',
      value: heapLarge.heapMb - heapSmall.heapMb,
      unit: 'MB',
      budget: { max: 1 },
    },
    small.pack,
    { name: 'DOM nodes while studying', value: heapLarge.nodes, unit: '', budget: { max: 800 } },
  ]
}

async function study(prefix: string, questions: number): Promise<Studying> {
  const product: Product = await startProduct()
  product.importBank(bankJson({ prefix, chapters: questions / CHAPTER, perChapter: CHAPTER }))
  const student = await product.student()
  const device = new Device(product.url, student)
  // All but the first chapter.
  for (let from = CHAPTER; from < questions; from += CHAPTER)
    await device.answer(Array.from({ length: CHAPTER }, (_, i) => `${prefix}_q${from + i + 1}`))
  const { page } = await newPhone()
  await logIn(page, product.url, student)
  await download(page, product.url, prefix)
  await page.goto(`${product.url}/question/library_study/${prefix}_c1/${CHAPTER}/第1章`, {
    waitUntil: 'domcontentloaded',
  })
  await page.locator(RIGHT).waitFor()
  // waitForFunction takes the promise of an asynchronous function for true.
  const givesUpAt = Date.now() + 120_000
  while (!(await page.evaluate(countStates, questions - CHAPTER))) {
    if (Date.now() > givesUpAt) throw new Error('the record of all answers has not come')
    await pause(500)
  }
  await page.evaluate(timeTaps)
  return { pack: await packSize(product), page, session: await slowDown(page, {}), marked: [], moved: [] }
}

/** Four options; an answer is marked when it is stored. No framework, no styles, nothing else on the page. */
async function bareScreen(): Promise<Tapped> {
  const page = `<!doctype html><html lang="zh-CN"><meta name="viewport" content="width=device-width"><main><h1></h1><p role="status"></p>
<fieldset>${'<div><label><input type="radio" name="answer">选项</label></div>'.repeat(4)}</fieldset>
<nav aria-label="题目导航"><button>下一题</button></nav></main><script>(${answering.toString()})()</script>`
  const server = createServer((_, reply) => reply.setHeader('content-type', 'text/html; charset=utf-8').end(page))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const phone = await newPhone()
  await phone.page.goto(`http://127.0.0.1:${address.port}/`)
  await phone.page.locator('h1', { hasText: '第1题' }).waitFor()
  await phone.page.evaluate(timeTaps)
  return { session: await slowDown(phone.page, {}), marked: [], moved: [] }
}

/** Runs in that page. */
function answering(): void {
  const [title, mark] = [document.querySelector('h1'), document.querySelector('[role=status]')]
  if (!title || !mark) return
  const opening = indexedDB.open('bare')
  opening.addEventListener('upgradeneeded', () => void opening.result.createObjectStore('answers'))
  let n = 0
  const next = () => {
    title.textContent = `第${++n}题`
    mark.textContent = ''
    for (const input of document.querySelectorAll('input')) input.checked = false
  }
  opening.addEventListener('success', next)
  document.querySelector('button')?.addEventListener('click', next)
  document.querySelector('fieldset')?.addEventListener('change', () => {
    const writing = opening.result.transaction('answers', 'readwrite')
    writing.objectStore('answers').put({ at: Date.now() }, n)
    writing.addEventListener('complete', () => {
      mark.textContent = '回答正确'
    })
  })
}

/** The whole library, so that what is studied comes from its pack. */
async function download(page: Page, url: string, prefix: string): Promise<void> {
  await page.goto(`${url}/question/library`, { waitUntil: 'domcontentloaded' })
  await openPolitics(page)
  const card = page.getByRole('region', { name: `${prefix} 章节题库` })
  await card.getByRole('button', { name: /^下载离线包/ }).click()
  await card.getByText(/^已下载 · /).waitFor({ timeout: 120_000 })
}

/** What a thousand questions of the demo content take on the wire. */
async function packSize({ db }: Product): Promise<Figure> {
  const { rows } = await sql<{ bytes: number; total: number }>`
    select sum((pack->>'bytes')::int)::int as bytes, sum((select sum(total) from chapter c where c.library_no = l.no and parent is null))::int as total
    from library l where no like 'L_%'`.execute(db)
  const { bytes = 0, total = 0 } = rows[0] ?? {}
  return {
    name: 'pack of 1,000 questions, on the wire',
    value: ((bytes / total) * 1000) / 1024,
    unit: 'KB',
    budget: { max: 350 },
    note: `${total} of the demo content`,
  }
}

/** Whether the record on this device knows so many questions' states. */
async function countStates(expected: number): Promise<boolean> {
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
  return count >= expected
}

/** Runs in the page: from a click's own time stamp to the end of the frame after the one that shows its effect. */
function timeTaps(): void {
  const taps: number[] = []
  window.taps = taps
  const look = () =>
    [...document.querySelectorAll('main h1, main [role=status]')].map((element) => element.textContent).join('|')
  let pending = false
  window.addEventListener(
    'click',
    (event) => {
      // A tap on a label clicks twice: on it, and on its input.
      if (pending) return
      pending = true
      const before = look()
      const wait = () => requestAnimationFrame(() => (look() === before ? wait() : requestAnimationFrame(painted)))
      const painted = () => {
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => {
          taps.push(performance.now() - event.timeStamp)
          pending = false
        })
        port1.start()
        port2.postMessage(0)
      }
      wait()
    },
    true,
  )
}

async function takeTurn({ session, marked, moved }: Tapped): Promise<void> {
  // The throttle itself burns the core that it takes away: the phone that waits must not have it.
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU })
  for (let i = 0; i < TURN; i++) {
    marked.push(await tap(session, RIGHT))
    moved.push(await tap(session, NEXT))
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
}

/** Ms from the tap to its mark. Asked for by the debugger alone: the driver's own polling would run in the page that is timed. */
async function tap(session: CDPSession, target: string): Promise<number> {
  const ask = async <T>(expression: string): Promise<T> =>
    (await session.send('Runtime.evaluate', { expression, returnByValue: true })).result.value
  await pause(250)
  const box = await ask<{ x: number; y: number } | null>(`(() => {
    const element = document.querySelector(${JSON.stringify(target)})
    element?.scrollIntoView({ block: 'center', behavior: 'instant' })
    const box = element?.getBoundingClientRect()
    return box ? { x: box.x + Math.min(box.width / 2, 40), y: box.y + box.height / 2 } : null
  })()`)
  if (!box) throw new Error(`${target} is not on the screen`)
  const before = await ask<number>('window.taps.length')
  await pause(100)
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [box] })
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  for (let tries = 0; tries < TRIES; tries++) {
    await pause(100)
    if ((await ask<number>('window.taps.length')) > before) return ask<number>('window.taps.at(-1)')
  }
  throw new Error(`a tap on ${target} changed nothing`)
}

async function weigh({ page, session }: Studying): Promise<{ heapMb: number; nodes: number }> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return { heapMb: usedSize / 1024 ** 2, nodes: await page.evaluate(() => document.querySelectorAll('*').length) }
}
